package dev.torg.notifications.settings;

import dev.torg.api.v1.AllTopicsChannelSettings;
import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.Limit;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.TopicSettings;
import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.NotificationTopics.Topic;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Validates the notification settings of a user and reports all violations at once.
final class NotificationSettingsValidator {
  private static final Set<String> ZONES = ZoneId.getAvailableZoneIds();
  private static final Set<String> LANGUAGES = Set.of("en", "ru");
  private static final Pattern TIME = Pattern.compile("([01][0-9]|2[0-3]):[0-5][0-9]");
  private static final Set<String> CHANNELS =
      Stream.of(Channel.values()).map(Channel::name).collect(Collectors.toSet());
  private static final int HOURS = 24;

  /// Over all topics: the settings are read with every alert for the user.
  private static final int MAX_CHANNELS = 50;

  /// A week. The time of the last delivery is kept a little longer.
  private static final long MAX_GAP_SECONDS = Duration.ofDays(7).toSeconds();

  private final NotificationTopics topics;

  NotificationSettingsValidator(NotificationTopics topics) {
    this.topics = topics;
  }

  void check(NotificationSettings settings) {
    requireBounded(settings);
    List<Violation> wrong = new ArrayList<>();
    settings.getTopicsMap().forEach((id, topic) -> topic(id, topic, wrong));
    settings.getAllTopics().getChannelsMap().forEach((id, channel) -> channel(id, channel, wrong));
    if (!settings.getTimezone().isEmpty() && !ZONES.contains(settings.getTimezone())) {
      wrong.add(new Violation("timezone", "must be an IANA name like Europe/Berlin"));
    }
    if (settings.getDigestHour() < 0 || settings.getDigestHour() >= HOURS) {
      wrong.add(new Violation("digestHour", "must be between 0 and 23"));
    }
    if (!settings.getLanguage().isEmpty() && !LANGUAGES.contains(settings.getLanguage())) {
      wrong.add(new Violation("language", "must be one of en, ru"));
    }
    if (settings.hasQuietHours()) {
      time("quietHours.from", settings.getQuietHours().getFrom(), wrong);
      time("quietHours.to", settings.getQuietHours().getTo(), wrong);
    }
    if (!wrong.isEmpty()) {
      throw Failure.invalid("settings.invalid", "invalid notification settings", wrong);
    }
  }

  /// Checked first: the later checks report every invalid channel.
  private static void requireBounded(NotificationSettings settings) {
    int channels =
        settings.getAllTopics().getChannelsCount()
            + settings.getTopicsMap().values().stream()
                .mapToInt(TopicSettings::getChannelsCount)
                .sum();
    if (channels > MAX_CHANNELS) {
      throw Failure.invalid(
          "settings.too-large",
          "these settings are too large",
          "topics",
          "must have at most " + MAX_CHANNELS + " channels in all");
    }
    if (settings.getSerializedSize() > SettingsStore.MAX_BYTES) {
      throw Failure.invalid(
          "settings.too-large",
          "these settings are too large",
          "",
          "must have at most " + SettingsStore.MAX_BYTES + " bytes");
    }
  }

  private void topic(String id, TopicSettings settings, List<Violation> wrong) {
    String field = "topics." + id;
    Optional<Topic> topic = topics.find(id);
    if (topic.isEmpty()) {
      wrong.add(new Violation(field, "there is no such topic"));
    }
    if (topic.filter(Topic::exempt).isPresent()) {
      exempt(field, settings, wrong);
    }
    for (var channel : settings.getChannelsMap().entrySet()) {
      String path = field + ".channels." + channel.getKey();
      ChannelSettings value = channel.getValue();
      channelName(path, channel.getKey(), wrong);
      if (value.hasLimit()) {
        limit(path + ".limit", value.getLimit(), wrong);
      }
    }
  }

  private static void exempt(String field, TopicSettings settings, List<Violation> wrong) {
    if (settings.getMuted()) {
      wrong.add(new Violation(field + ".muted", "this topic cannot be muted"));
    }
    settings
        .getChannelsMap()
        .forEach(
            (id, channel) -> {
              if (channel.getMuted() || channel.hasLimit()) {
                wrong.add(
                    new Violation(
                        field + ".channels." + id, "this topic cannot be muted or limited"));
              }
            });
  }

  private static void channel(String id, AllTopicsChannelSettings settings, List<Violation> wrong) {
    String field = "allTopics.channels." + id;
    channelName(field, id, wrong);
    if (settings.hasLimit()) {
      limit(field + ".limit", settings.getLimit(), wrong);
    }
    if (settings.getMinGapSeconds() < 0 || settings.getMinGapSeconds() > MAX_GAP_SECONDS) {
      wrong.add(
          new Violation(field + ".minGapSeconds", "must be between 0 and " + MAX_GAP_SECONDS));
    }
  }

  private static void channelName(String field, String id, List<Violation> wrong) {
    if (!CHANNELS.contains(id)) {
      wrong.add(new Violation(field, "must be one of EMAIL, PUSH, SMS, WEBHOOK"));
    }
  }

  private static void limit(String field, Limit limit, List<Violation> wrong) {
    if (limit.getCount() < 0) {
      wrong.add(new Violation(field + ".count", "must not be negative"));
    }
    boolean unclear =
        limit.getPer() == Limit.Per.PER_UNSPECIFIED || limit.getPer() == Limit.Per.UNRECOGNIZED;
    if (unclear) {
      wrong.add(new Violation(field + ".per", "must be one of HOUR, DAY, WEEK"));
    }
  }

  private static void time(String field, String value, List<Violation> wrong) {
    if (!TIME.matcher(value).matches()) {
      wrong.add(new Violation(field, "must be a local time HH:MM"));
    }
  }
}
