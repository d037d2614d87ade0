package dev.torg.alerts.digest;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// SQL over the progress of merging an anonymous identity's digest into a login. Items are copied in the
/// order of their keys, in the transaction that records the last one, so an item is copied once, by any
/// process and whatever happened to the copy. [#lock] makes a second process wait for the first.
///
/// The login's digest is not sent before its favorites are merged too: the rules of the items would not
/// exist.
public final class DigestMergeStore {
  private static final String LOCK =
      """
      INSERT INTO digest_move (home, owner, anonymous, offer_id, kind, open)
      VALUES (?, ?, ?, 0, 0, true)
      ON CONFLICT (home, owner, anonymous) DO UPDATE SET kind = digest_move.kind
      RETURNING offer_id, kind
      """;

  private static final String NOTE =
      "UPDATE digest_move SET offer_id = ?, kind = ? WHERE home = ? AND owner = ? AND anonymous = ?";

  private static final String CLOSE =
      "UPDATE digest_move SET open = false WHERE home = ? AND owner = ? AND anonymous = ?";

  private static final BatchSql<String> OPEN =
      BatchColumns.<String>of(Home::of)
          .texts("owner", owner -> owner)
          .sql(
              """
              SELECT DISTINCT m.owner FROM :batch(k)
                JOIN digest_move m ON m.home = k.home AND m.owner = k.owner
               WHERE m.open AND :shard(m)
              """);

  /// The key of an item.
  public record DigestItemKey(long offer, int kind) implements Comparable<DigestItemKey> {
    private static final Comparator<DigestItemKey> ORDER =
        Comparator.comparingLong(DigestItemKey::offer).thenComparingInt(DigestItemKey::kind);

    public static DigestItemKey of(DigestStore.Item item) {
      return new DigestItemKey(item.offer().number(), item.kind());
    }

    @Override
    public int compareTo(DigestItemKey other) {
      return ORDER.compare(this, other);
    }
  }

  /// Locks the row until the transaction ends, and returns the last item that was copied.
  public DigestItemKey lock(Tx tx, String login, String anonymous) throws SQLException {
    return tx.sql(LOCK)
        .set(Home.of(login))
        .set(login)
        .set(anonymous)
        .first(DigestMergeStore::itemKey)
        .orElseThrow();
  }

  public void note(Tx tx, String login, String anonymous, DigestItemKey last) throws SQLException {
    tx.sql(NOTE)
        .set(last.offer())
        .set(last.kind())
        .set(Home.of(login))
        .set(login)
        .set(anonymous)
        .update();
  }

  /// Records that the favorites are merged.
  public void close(Tx tx, String login, String anonymous) throws SQLException {
    tx.sql(CLOSE).set(Home.of(login)).set(login).set(anonymous).update();
  }

  /// The owners with an unfinished merge into them.
  Set<String> open(Tx tx, List<String> owners) throws SQLException {
    return Set.copyOf(tx.sql(OPEN, owners).list(row -> row.textAt(1)));
  }

  private static DigestItemKey itemKey(Row row) throws SQLException {
    return new DigestItemKey(row.longAt(1), row.intAt(2));
  }
}
