package dev.torg.photos.prepare;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;

/// Counts the references of photos to content, in the content's home. Adding and ending a reference lock
/// the content's row, and ending the last reference deletes the sizes under that lock. So stored sizes
/// exist as long as a reference to them exists.
public final class ContentReferenceStore {
  private static final String LOCK_FOR_USE =
      """
      INSERT INTO photo_content AS c (home, content, used_at) VALUES (?, ?, ?)
      ON CONFLICT (home, content) DO UPDATE SET used_at = EXCLUDED.used_at
      """;

  private static final String LOCK =
      "SELECT 1 FROM photo_content WHERE home = ? AND content = ? FOR UPDATE";

  private static final String ADD =
      """
      INSERT INTO photo_use (home, content, photo_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
      """;

  private static final String END =
      "DELETE FROM photo_use WHERE home = ? AND content = ? AND photo_id = ?";

  private static final String OTHERS =
      "SELECT 1 FROM photo_use WHERE home = ? AND content = ? LIMIT 1";

  private static final String DELETE = "DELETE FROM photo_content WHERE home = ? AND content = ?";

  private final Database database;
  private final PhotoBlobStore blobs;

  public ContentReferenceStore(Database database, PhotoBlobStore blobs) {
    this.database = database;
    this.blobs = blobs;
  }

  void add(String content, String photo, Instant at) {
    Home home = Home.of(content);
    byte[] bytes = HexFormat.of().parseHex(content);
    database.transact(
        tx -> {
          tx.sql(LOCK_FOR_USE).set(home).set(bytes).set(at).update();
          tx.sql(ADD).set(home).set(bytes).set(photo).update();
        });
  }

  void end(String content, String photo) {
    database.transact(tx -> end(tx, content, photo));
  }

  private void end(Tx tx, String content, String photo) throws SQLException {
    Home home = Home.of(content);
    byte[] bytes = HexFormat.of().parseHex(content);
    if (tx.sql(LOCK).set(home).set(bytes).first(row -> true).isEmpty()) {
      return;
    }
    tx.sql(END).set(home).set(bytes).set(photo).update();
    if (tx.sql(OTHERS).set(home).set(bytes).first(row -> true).isPresent()) {
      return;
    }
    blobs.dropSizes(content);
    tx.sql(DELETE).set(home).set(bytes).update();
  }
}
