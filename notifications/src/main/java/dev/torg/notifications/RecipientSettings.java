package dev.torg.notifications;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Map;

/// The notification settings of recipients: language, timezone, digest hour, mutes and limits of channels. They govern
/// the delivery on channels; the bell always receives the entry.
///
/// Settings that this interface returns are complete: `effectiveTimezone` is the timezone that applies.
public interface RecipientSettings {
  NotificationSettings DEFAULTS =
      NotificationSettings.newBuilder()
          .setEffectiveTimezone("UTC")
          .setDigestHour(9)
          .setLanguage("en")
          .build();

  /// The settings of each of these recipients.
  Map<String, NotificationSettings> of(Tx tx, Collection<String> recipients) throws SQLException;

  /// The settings with defaults for the fields that are not set. A timezone that is not set stays empty: which one
  /// applies may change.
  ///
  /// @param otherwise the timezone that applies if the settings have none
  static NotificationSettings complete(NotificationSettings settings, ZoneId otherwise) {
    NotificationSettings.Builder completed = settings.toBuilder();
    completed.setEffectiveTimezone(
        settings.getTimezone().isEmpty() ? otherwise.getId() : settings.getTimezone());
    if (settings.getLanguage().isEmpty()) {
      completed.setLanguage(DEFAULTS.getLanguage());
    }
    if (!settings.hasDigestHour()) {
      completed.setDigestHour(DEFAULTS.getDigestHour());
    }
    return completed.build();
  }

  /// The timezone that applies, of complete settings.
  static ZoneId zone(NotificationSettings settings) {
    return ZoneId.of(
        settings.getTimezone().isEmpty()
            ? settings.getEffectiveTimezone()
            : settings.getTimezone());
  }

  /// Whether the channel is muted for the topic.
  static boolean isMuted(NotificationSettings settings, String topic, String channel) {
    return settings.containsTopics(topic)
        && settings.getTopicsOrThrow(topic).containsChannels(channel)
        && settings.getTopicsOrThrow(topic).getChannelsOrThrow(channel).getMuted();
  }

  /// Whether the topic is muted on all channels.
  static boolean isMuted(NotificationSettings settings, String topic) {
    return settings.containsTopics(topic) && settings.getTopicsOrThrow(topic).getMuted();
  }
}
