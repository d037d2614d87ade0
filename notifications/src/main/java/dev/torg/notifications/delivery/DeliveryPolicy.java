package dev.torg.notifications.delivery;

import dev.torg.api.v1.AllTopicsChannelSettings;
import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.TopicSettings;
import dev.torg.notifications.delivery.DeliveryDecision.Deliver;
import dev.torg.notifications.delivery.DeliveryDecision.Hold;
import dev.torg.notifications.delivery.DeliveryDecision.Suppress;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/// Decides from one person's settings what is done with a message that is due on a channel. The first rule that applies
/// decides:
///
/// 1. An expired message is suppressed.
/// 2. A message of an exempt topic is delivered.
/// 3. A muted topic or channel suppresses.
/// 4. Quiet hours hold the message back until they end. Limits are checked then: they may have been renewed.
/// 5. A spent limit suppresses.
/// 6. A message within the minimum gap after the last one is held back until the gap ends.
///
/// A message that would expire while it is held back is suppressed at once.
///
/// @param settings valid ones
/// @param zone the timezone that applies to the person
public record DeliveryPolicy(NotificationSettings settings, ZoneId zone) {
  /// @param ofTopic deliveries of the message's topic on its channel
  /// @param ofChannel deliveries of all topics on its channel; those of exempt topics are not counted
  public DeliveryDecision decide(
      DueMessage message, DeliveryCount ofTopic, DeliveryCount ofChannel, Instant now) {
    if (message.isExpiredAt(now)) {
      return new Suppress(SuppressionReason.EXPIRED);
    }
    if (message.topic().exempt()) {
      return new Deliver();
    }
    Optional<SuppressionReason> muted = muted(message);
    if (muted.isPresent()) {
      return new Suppress(muted.get());
    }
    Optional<Instant> quietUntil = quietUntil(now);
    if (quietUntil.isPresent()) {
      return hold(message, quietUntil.get());
    }
    return decideByCounts(message, ofTopic, ofChannel, now);
  }

  private DeliveryDecision decideByCounts(
      DueMessage message, DeliveryCount ofTopic, DeliveryCount ofChannel, Instant now) {
    ChannelSettings channel = channel(message);
    if (channel.hasLimit() && ofTopic.isSpent(channel.getLimit(), now, zone)) {
      return new Suppress(SuppressionReason.TOPIC_LIMIT);
    }
    AllTopicsChannelSettings allTopics = allTopics(message);
    if (allTopics.hasLimit() && ofChannel.isSpent(allTopics.getLimit(), now, zone)) {
      return new Suppress(SuppressionReason.CHANNEL_LIMIT);
    }
    return ofChannel
        .last()
        .filter(_ -> allTopics.getMinGapSeconds() > 0)
        .map(last -> last.plusSeconds(allTopics.getMinGapSeconds()))
        .filter(now::isBefore)
        .map(gapEnd -> hold(message, quietUntil(gapEnd).orElse(gapEnd)))
        .orElseGet(Deliver::new);
  }

  private Optional<SuppressionReason> muted(DueMessage message) {
    if (topic(message).getMuted()) {
      return Optional.of(SuppressionReason.TOPIC_MUTED);
    }
    return channel(message).getMuted()
        ? Optional.of(SuppressionReason.CHANNEL_MUTED)
        : Optional.empty();
  }

  private Optional<Instant> quietUntil(Instant time) {
    return settings.hasQuietHours()
        ? QuietPeriods.of(settings.getQuietHours(), zone).endOfPeriodAt(time)
        : Optional.empty();
  }

  private static DeliveryDecision hold(DueMessage message, Instant until) {
    return message.isExpiredAt(until) ? new Suppress(SuppressionReason.EXPIRED) : new Hold(until);
  }

  private TopicSettings topic(DueMessage message) {
    return settings.getTopicsOrDefault(message.topic().id(), TopicSettings.getDefaultInstance());
  }

  private ChannelSettings channel(DueMessage message) {
    return topic(message)
        .getChannelsOrDefault(message.channel().name(), ChannelSettings.getDefaultInstance());
  }

  private AllTopicsChannelSettings allTopics(DueMessage message) {
    return settings
        .getAllTopics()
        .getChannelsOrDefault(
            message.channel().name(), AllTopicsChannelSettings.getDefaultInstance());
  }
}
