package dev.torg.notifications.settings;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.platform.Home;
import dev.torg.platform.db.HomedSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Keeps settings whole, one row a person who has said anything.
public final class SettingsStore {
  private static final HomedSql READ =
      HomedSql.of(
          """
      SELECT s.owner, s.body FROM unnest(?::int[], ?::text[]) AS k (home, owner)
        JOIN notification_settings s ON s.home = k.home AND s.owner = k.owner
       WHERE :home(s)
      """);

  private static final String INSERT =
      "INSERT INTO notification_settings (home, owner, body) VALUES (?, ?, ?) ON CONFLICT (home, owner) ";

  private static final String PUT = INSERT + "DO UPDATE SET body = excluded.body";
  private static final String PUT_IF_MISSING = INSERT + "DO NOTHING";

  private static final String DELETE =
      "DELETE FROM notification_settings WHERE home = ? AND owner = ?";

  /// Of those who have any.
  public Map<String, NotificationSettings> read(Tx tx, Collection<String> owners)
      throws SQLException {
    List<String> list = List.copyOf(owners);
    Map<String, NotificationSettings> found = new HashMap<>();
    tx.sql(READ, list, Home::of)
        .homes(list, Home::of)
        .texts(list, owner -> owner)
        .each(row -> found.put(row.textAt(1), parse(row.bytesAt(2))));
    return found;
  }

  public void put(Tx tx, String owner, NotificationSettings settings) throws SQLException {
    write(tx, PUT, owner, settings);
  }

  public void putIfMissing(Tx tx, String owner, NotificationSettings settings) throws SQLException {
    write(tx, PUT_IF_MISSING, owner, settings);
  }

  public int delete(Tx tx, String owner) throws SQLException {
    return tx.sql(DELETE).set(Home.of(owner)).set(owner).update();
  }

  private static void write(Tx tx, String text, String owner, NotificationSettings settings)
      throws SQLException {
    tx.sql(text).set(Home.of(owner)).set(owner).set(settings.toByteArray()).update();
  }

  private static NotificationSettings parse(byte[] body) {
    try {
      return NotificationSettings.parseFrom(body);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("stored settings cannot be read", e);
    }
  }
}
