package dev.torg.notifications.settings;

import com.google.protobuf.DiscardUnknownFieldsParser;
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
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps settings whole, one row a person who has said anything.
///
/// Those of thousands of people are read at once, so a row that is longer than [#MAX_BYTES], which only an earlier
/// version could write, is not even fetched: the person has the defaults until the settings are put again.
public final class SettingsStore {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsStore.class);

  /// Of one person's settings, as they are kept.
  static final int MAX_BYTES = 16 << 10;

  private static final HomedSql READ =
      HomedSql.of(
          """
      SELECT s.owner, CASE WHEN octet_length(s.body) <= %d THEN s.body END FROM unnest(?::int[], ?::text[]) AS k (home, owner)
        JOIN notification_settings s ON s.home = k.home AND s.owner = k.owner
       WHERE :home(s)
      """
              .formatted(MAX_BYTES));

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
        .each(row -> keep(found, row.textAt(1), row.optionalBytesAt(2)));
    return found;
  }

  private static void keep(
      Map<String, NotificationSettings> found, String owner, Optional<byte[]> body) {
    if (body.isEmpty()) {
      LOG.warn("the settings of {} are longer than {} bytes: defaults are used", owner, MAX_BYTES);
    }
    body.ifPresent(bytes -> found.put(owner, parse(bytes)));
  }

  /// For what is stored: nothing that nobody here has looked at.
  static NotificationSettings withoutUnknownFields(NotificationSettings settings) {
    try {
      return DiscardUnknownFieldsParser.wrap(NotificationSettings.parser())
          .parseFrom(settings.toByteString());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("settings cannot be read back", e);
    }
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
