package dev.torg.notifications.settings;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// SQL over notification settings: one row per user who has any, with the whole message.
///
/// Settings of thousands of users are read at once, so a row longer than [#MAX_BYTES], which only an earlier
/// version could write, is not fetched: the user has the defaults until the settings are put again.
public final class SettingsStore {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsStore.class);

  /// Serialized size of the settings of one user.
  static final int MAX_BYTES = 16 << 10;

  private static final BatchSql<String> READ =
      BatchColumns.<String>of(Home::of)
          .texts("owner", owner -> owner)
          .sql(
              """
              SELECT s.owner, CASE WHEN octet_length(s.body) <= %d THEN s.body END FROM :batch(k)
                JOIN notification_settings s ON s.home = k.home AND s.owner = k.owner
               WHERE :shard(s)
              """
                  .formatted(MAX_BYTES));

  private static final String INSERT =
      "INSERT INTO notification_settings (home, owner, body) VALUES (?, ?, ?) ON CONFLICT (home, owner) ";

  private static final String PUT = INSERT + "DO UPDATE SET body = excluded.body";
  private static final String PUT_IF_MISSING = INSERT + "DO NOTHING";

  private static final String DELETE =
      "DELETE FROM notification_settings WHERE home = ? AND owner = ?";

  /// The settings of those owners who have any.
  public Map<String, NotificationSettings> read(Tx tx, Collection<String> owners)
      throws SQLException {
    List<String> list = List.copyOf(owners);
    Map<String, NotificationSettings> settings = new HashMap<>();
    tx.sql(READ, list).each(row -> collect(settings, row.textAt(1), row.optionalBytesAt(2)));
    return settings;
  }

  private static void collect(
      Map<String, NotificationSettings> settings, String owner, Optional<byte[]> body) {
    if (body.isEmpty()) {
      LOG.warn("the settings of {} are longer than {} bytes: defaults are used", owner, MAX_BYTES);
    }
    body.ifPresent(
        bytes ->
            settings.put(
                owner, StoredProto.parse(NotificationSettings.parser(), bytes, "setting")));
  }

  /// Only validated fields are stored.
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
}
