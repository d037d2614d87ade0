package dev.torg.notifications;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Map;

/// The notification settings of recipients: language, timezone, digest hour, muted topics. A recipient
/// without settings has the defaults: UTC, 9 o'clock, English.
public interface RecipientSettings {
  NotificationSettings DEFAULTS =
      NotificationSettings.newBuilder()
          .setTimezone("UTC")
          .setDigestHour(9)
          .setLanguage("en")
          .build();

  /// The settings of each of these recipients.
  Map<String, NotificationSettings> of(Tx tx, Collection<String> recipients) throws SQLException;

  /// The settings with defaults for the fields that are not set.
  static NotificationSettings complete(NotificationSettings settings) {
    NotificationSettings.Builder completed = settings.toBuilder();
    if (settings.getTimezone().isEmpty()) {
      completed.setTimezone(DEFAULTS.getTimezone());
    }
    if (settings.getLanguage().isEmpty()) {
      completed.setLanguage(DEFAULTS.getLanguage());
    }
    if (!settings.hasDigestHour()) {
      completed.setDigestHour(DEFAULTS.getDigestHour());
    }
    return completed.build();
  }

  static ZoneId zone(NotificationSettings settings) {
    return ZoneId.of(settings.getTimezone());
  }

  /// Whether the channel is muted for the topic.
  static boolean isMuted(NotificationSettings settings, String topic, String channel) {
    return settings.containsTopics(topic)
        && settings.getTopicsOrThrow(topic).containsChannels(channel)
        && settings.getTopicsOrThrow(topic).getChannelsOrThrow(channel).getMuted();
  }

  static boolean isMuted(NotificationSettings settings, String topic) {
    return settings.containsTopics(topic) && settings.getTopicsOrThrow(topic).getMuted();
  }
}
