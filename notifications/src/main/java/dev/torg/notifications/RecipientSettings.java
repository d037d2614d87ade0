package dev.torg.notifications;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.settings.SettingsStore;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// What people said about being notified, for the rooms that notify them: language, timezone, digest
/// hour, muted topics. Who said nothing has the defaults: UTC, 9 o'clock, English.
public final class RecipientSettings {
  public static final NotificationSettings DEFAULTS =
      NotificationSettings.newBuilder()
          .setTimezone("UTC")
          .setDigestHour(9)
          .setLanguage("en")
          .build();

  private final SettingsStore store = new SettingsStore();

  /// Of every reader asked for. Where tables are distributed, all are of one home.
  public Map<String, NotificationSettings> of(Tx tx, Collection<String> readers)
      throws SQLException {
    Map<String, NotificationSettings> said = store.read(tx, readers);
    Map<String, NotificationSettings> all = new HashMap<>();
    readers.forEach(reader -> all.put(reader, complete(said.getOrDefault(reader, DEFAULTS))));
    return all;
  }

  /// The settings with defaults where nothing was said.
  public static NotificationSettings complete(NotificationSettings said) {
    NotificationSettings.Builder all = said.toBuilder();
    if (said.getTimezone().isEmpty()) {
      all.setTimezone(DEFAULTS.getTimezone());
    }
    if (said.getLanguage().isEmpty()) {
      all.setLanguage(DEFAULTS.getLanguage());
    }
    if (!said.hasDigestHour()) {
      all.setDigestHour(DEFAULTS.getDigestHour());
    }
    return all.build();
  }

  public static ZoneId zone(NotificationSettings settings) {
    return ZoneId.of(settings.getTimezone());
  }

  public static boolean isMuted(NotificationSettings settings, String topic) {
    return settings.containsTopics(topic) && settings.getTopicsOrThrow(topic).getMuted();
  }
}
