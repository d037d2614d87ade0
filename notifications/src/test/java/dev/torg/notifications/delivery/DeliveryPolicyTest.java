package dev.torg.notifications.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.AllTopicsChannelSettings;
import dev.torg.api.v1.AllTopicsSettings;
import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.Limit;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.QuietHours;
import dev.torg.api.v1.TopicSettings;
import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics.Topic;
import dev.torg.notifications.delivery.DeliveryDecision.Deliver;
import dev.torg.notifications.delivery.DeliveryDecision.Hold;
import dev.torg.notifications.delivery.DeliveryDecision.Suppress;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeliveryPolicyTest {
  private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final Topic NEWS = new Topic("news", "News", "", false);
  private static final Topic ACCOUNT = new Topic("account", "Account", "", true);
  private static final DueMessage PUSH = new DueMessage(NEWS, Channel.PUSH, Optional.empty());

  private static NotificationSettings topic(TopicSettings.Builder topic) {
    return NotificationSettings.newBuilder()
        .putTopics("news", topic.build())
        .putTopics("account", topic.build())
        .build();
  }

  private static NotificationSettings topicLimit(int count, Limit.Per per) {
    ChannelSettings.Builder push = ChannelSettings.newBuilder().setLimit(limit(count, per));
    return topic(TopicSettings.newBuilder().putChannels("PUSH", push.build()));
  }

  private static NotificationSettings allTopics(AllTopicsChannelSettings.Builder push) {
    return NotificationSettings.newBuilder()
        .setAllTopics(AllTopicsSettings.newBuilder().putChannels("PUSH", push.build()))
        .build();
  }

  private static NotificationSettings quiet(String from, String to) {
    return NotificationSettings.newBuilder()
        .setQuietHours(QuietHours.newBuilder().setFrom(from).setTo(to))
        .build();
  }

  private static Limit limit(int count, Limit.Per per) {
    return Limit.newBuilder().setCount(count).setPer(per).build();
  }

  private static DueMessage expiring(Instant at) {
    return new DueMessage(NEWS, Channel.PUSH, Optional.of(at));
  }

  private static DeliveryDecision decide(NotificationSettings settings, DueMessage message) {
    return decide(settings, message, DeliveryCount.NONE, DeliveryCount.NONE);
  }

  private static DeliveryDecision decide(
      NotificationSettings settings,
      DueMessage message,
      DeliveryCount ofTopic,
      DeliveryCount ofChannel) {
    return new DeliveryPolicy(settings, UTC).decide(message, ofTopic, ofChannel, NOON);
  }

  private static DeliveryCount delivered(Instant... times) {
    return delivered(UTC, times);
  }

  private static DeliveryCount delivered(ZoneId zone, Instant... times) {
    DeliveryCount count = DeliveryCount.NONE;
    for (Instant time : times) {
      count = count.plusOne(time, zone);
    }
    return count;
  }

  private static Suppress suppressed(SuppressionReason reason) {
    return new Suppress(reason);
  }

  @Test
  void decide_noSettings_delivers() {
    DeliveryCount many = delivered(NOON, NOON, NOON);

    assertThat(decide(NotificationSettings.getDefaultInstance(), PUSH, many, many))
        .isEqualTo(new Deliver());
  }

  @Test
  void decide_mutedTopic_suppresses() {
    assertThat(decide(topic(TopicSettings.newBuilder().setMuted(true)), PUSH))
        .isEqualTo(suppressed(SuppressionReason.TOPIC_MUTED));
  }

  @Test
  void decide_mutedChannel_suppressesThisChannelOnly() {
    ChannelSettings muted = ChannelSettings.newBuilder().setMuted(true).build();
    NotificationSettings settings = topic(TopicSettings.newBuilder().putChannels("PUSH", muted));

    assertThat(decide(settings, PUSH)).isEqualTo(suppressed(SuppressionReason.CHANNEL_MUTED));
    assertThat(decide(settings, new DueMessage(NEWS, Channel.EMAIL, Optional.empty())))
        .isEqualTo(new Deliver());
  }

  @Test
  void decide_expiryReached_suppresses() {
    assertThat(decide(NotificationSettings.getDefaultInstance(), expiring(NOON)))
        .isEqualTo(suppressed(SuppressionReason.EXPIRED));
    assertThat(decide(NotificationSettings.getDefaultInstance(), expiring(NOON.plusMillis(1))))
        .isEqualTo(new Deliver());
  }

  @Test
  void decide_exemptTopic_ignoresSettingsButNotExpiry() {
    NotificationSettings strict =
        topic(TopicSettings.newBuilder().setMuted(true)).toBuilder()
            .mergeFrom(quiet("11:00", "13:00"))
            .mergeFrom(
                allTopics(AllTopicsChannelSettings.newBuilder().setLimit(limit(0, Limit.Per.DAY))))
            .build();

    assertThat(decide(strict, new DueMessage(ACCOUNT, Channel.PUSH, Optional.empty())))
        .isEqualTo(new Deliver());
    assertThat(decide(strict, new DueMessage(ACCOUNT, Channel.PUSH, Optional.of(NOON))))
        .isEqualTo(suppressed(SuppressionReason.EXPIRED));
  }

  @Test
  void decide_expiresDuringQuietHours_suppressesAtOnce() {
    Instant end = Instant.parse("2026-05-04T13:00:00Z");

    assertThat(decide(quiet("11:00", "13:00"), expiring(end)))
        .isEqualTo(suppressed(SuppressionReason.EXPIRED));
    assertThat(decide(quiet("11:00", "13:00"), expiring(end.plusSeconds(1))))
        .isEqualTo(new Hold(end));
  }

  @Test
  void decide_quietHoursAndSpentLimit_holdsBecauseTheLimitMayBeRenewed() {
    NotificationSettings settings =
        quiet("11:00", "13:00").toBuilder().mergeFrom(topicLimit(1, Limit.Per.HOUR)).build();

    assertThat(decide(settings, PUSH, delivered(NOON), delivered(NOON)))
        .isEqualTo(new Hold(Instant.parse("2026-05-04T13:00:00Z")));
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin, 22:00, 07:00, 2026-05-04T19:59:59Z, ", // a second before
    "Europe/Berlin, 22:00, 07:00, 2026-05-04T20:00:00Z, 2026-05-05T05:00:00Z", // the start
    "Europe/Berlin, 22:00, 07:00, 2026-05-04T22:00:00Z, 2026-05-05T05:00:00Z", // midnight
    "Europe/Berlin, 22:00, 07:00, 2026-05-05T04:59:59Z, 2026-05-05T05:00:00Z", // a second left
    "Europe/Berlin, 22:00, 07:00, 2026-05-05T05:00:00Z, ", // the end
    "Europe/Berlin, 13:00, 14:00, 2026-05-04T11:30:00Z, 2026-05-04T12:00:00Z", // within a day
    "Europe/Berlin, 00:00, 06:00, 2026-05-04T22:00:00Z, 2026-05-05T04:00:00Z", // from midnight
    "Europe/Berlin, 20:00, 00:00, 2026-05-04T21:59:59Z, 2026-05-04T22:00:00Z", // to midnight
    "Europe/Berlin, 08:00, 08:00, 2026-05-04T06:00:00Z, ", // none
    "Asia/Tokyo,    22:00, 07:00, 2026-05-04T13:00:00Z, 2026-05-04T22:00:00Z", // another timezone
    // Clocks go forward on March 29 at 01:00Z: from 02:00 to 03:00.
    "Europe/Berlin, 22:00, 07:00, 2026-03-28T23:00:00Z, 2026-03-29T05:00:00Z",
    "Europe/Berlin, 22:00, 02:30, 2026-03-29T00:59:59Z, 2026-03-29T01:00:00Z",
    "Europe/Berlin, 22:00, 02:30, 2026-03-29T01:00:00Z, ",
    "Europe/Berlin, 02:30, 07:00, 2026-03-29T01:00:00Z, 2026-03-29T05:00:00Z",
    // Clocks go back on October 25 at 01:00Z: from 03:00 to 02:00.
    "Europe/Berlin, 22:00, 07:00, 2026-10-24T22:00:00Z, 2026-10-25T06:00:00Z",
    "Europe/Berlin, 22:00, 02:30, 2026-10-25T00:45:00Z, 2026-10-25T01:30:00Z",
    "Europe/Berlin, 22:00, 02:30, 2026-10-25T01:30:00Z, ",
    "Europe/Berlin, 02:30, 07:00, 2026-10-25T00:30:00Z, 2026-10-25T06:00:00Z",
    "Europe/Berlin, 02:30, 07:00, 2026-10-25T01:10:00Z, 2026-10-25T06:00:00Z",
    // Clocks go forward at midnight: September 6 begins at 01:00.
    "America/Santiago, 22:00, 00:00, 2026-09-06T03:59:59Z, 2026-09-06T04:00:00Z",
  })
  void decide_quietHours_holdsUntilTheyEnd(
      String zone, String from, String to, Instant now, @Nullable Instant heldUntil) {
    DeliveryDecision decision =
        new DeliveryPolicy(quiet(from, to), ZoneId.of(zone))
            .decide(PUSH, DeliveryCount.NONE, DeliveryCount.NONE, now);

    assertThat(decision).isEqualTo(heldUntil == null ? new Deliver() : new Hold(heldUntil));
  }

  @ParameterizedTest
  @CsvSource({
    "HOUR, UTC, 2026-05-04T11:00:00Z, 2026-05-04T11:59:59Z, true",
    "HOUR, UTC, 2026-05-04T11:59:59Z, 2026-05-04T12:00:00Z, false",
    "HOUR, Asia/Kolkata, 2026-05-04T11:45:00Z, 2026-05-04T12:15:00Z, true", // 17:15 and 17:45
    "DAY, Europe/Berlin, 2026-05-03T22:00:00Z, 2026-05-04T21:59:59Z, true",
    "DAY, Europe/Berlin, 2026-05-03T21:59:59Z, 2026-05-03T22:00:00Z, false", // local midnight
    "DAY, Europe/Berlin, 2026-05-04T23:59:59Z, 2026-05-05T00:00:00Z, true", // midnight in UTC
    "DAY, Europe/Berlin, 2026-03-28T23:00:00Z, 2026-03-29T21:59:59Z, true", // a day of 23 hours
    "DAY, Europe/Berlin, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z, false",
    "DAY, Europe/Berlin, 2026-10-24T22:00:00Z, 2026-10-25T22:59:59Z, true", // of 25 hours
    "DAY, Europe/Berlin, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z, false",
    "HOUR, Europe/Berlin, 2026-10-25T00:30:00Z, 2026-10-25T01:30:00Z, false", // 02:30 twice
    "DAY, America/Santiago, 2026-09-06T03:59:59Z, 2026-09-06T04:00:00Z, false", // no midnight
    "WEEK, UTC, 2026-05-04T00:00:00Z, 2026-05-10T23:59:59Z, true", // Monday to Sunday
    "WEEK, UTC, 2026-05-10T23:59:59Z, 2026-05-11T00:00:00Z, false",
  })
  void decide_limitOfOne_isSpentInTheSameLocalPeriod(
      Limit.Per per, String zoneId, Instant first, Instant second, boolean spent) {
    ZoneId zone = ZoneId.of(zoneId);
    DeliveryCount one = delivered(zone, first);

    DeliveryDecision decision =
        new DeliveryPolicy(topicLimit(1, per), zone).decide(PUSH, one, one, second);

    assertThat(decision)
        .isEqualTo(spent ? suppressed(SuppressionReason.TOPIC_LIMIT) : new Deliver());
  }

  @Test
  void decide_belowTheLimit_delivers() {
    assertThat(decide(topicLimit(3, Limit.Per.DAY), PUSH, delivered(NOON, NOON), delivered(NOON)))
        .isEqualTo(new Deliver());
  }

  @Test
  void decide_limitOfZero_suppresses() {
    assertThat(decide(topicLimit(0, Limit.Per.DAY), PUSH))
        .isEqualTo(suppressed(SuppressionReason.TOPIC_LIMIT));
  }

  @Test
  void decide_limitAcrossTopics_countsOtherTopics() {
    NotificationSettings settings =
        allTopics(AllTopicsChannelSettings.newBuilder().setLimit(limit(2, Limit.Per.DAY)));

    assertThat(decide(settings, PUSH, DeliveryCount.NONE, delivered(NOON, NOON)))
        .isEqualTo(suppressed(SuppressionReason.CHANNEL_LIMIT));
    assertThat(decide(settings, PUSH, delivered(NOON, NOON), delivered(NOON)))
        .isEqualTo(new Deliver());
  }

  @Test
  void decide_withinMinimumGap_holdsUntilItEnds() {
    NotificationSettings settings =
        allTopics(AllTopicsChannelSettings.newBuilder().setMinGapSeconds(60));

    assertThat(decide(settings, PUSH, DeliveryCount.NONE, delivered(NOON.minusSeconds(59))))
        .isEqualTo(new Hold(NOON.plusSeconds(1)));
    assertThat(decide(settings, PUSH, DeliveryCount.NONE, delivered(NOON.minusSeconds(60))))
        .isEqualTo(new Deliver());
  }

  @Test
  void decide_gapEndsInQuietHours_holdsUntilTheyEnd() {
    NotificationSettings settings =
        allTopics(AllTopicsChannelSettings.newBuilder().setMinGapSeconds(600)).toBuilder()
            .mergeFrom(quiet("12:05", "13:00"))
            .build();

    assertThat(decide(settings, PUSH, DeliveryCount.NONE, delivered(NOON)))
        .isEqualTo(new Hold(Instant.parse("2026-05-04T13:00:00Z")));
  }

  @Test
  void decide_expiresWithinMinimumGap_suppresses() {
    NotificationSettings settings =
        allTopics(AllTopicsChannelSettings.newBuilder().setMinGapSeconds(60));

    assertThat(
            decide(settings, expiring(NOON.plusSeconds(30)), DeliveryCount.NONE, delivered(NOON)))
        .isEqualTo(suppressed(SuppressionReason.EXPIRED));
  }

  @ParameterizedTest
  @CsvSource({
    "Asia/Tokyo, true", // The day began earlier there: the counted deliveries are within it.
    "America/New_York, false", // It began later: of the counted deliveries some may be older.
  })
  void isSpent_timezoneChanged_countsWhatIsKnownToBeOfTheCurrentDay(String newZone, boolean spent) {
    DeliveryCount one = delivered(ZoneId.of("Europe/Berlin"), NOON);

    assertThat(one.isSpent(limit(1, Limit.Per.DAY), NOON, ZoneId.of(newZone))).isEqualTo(spent);
  }
}
