package dev.torg.alerts.eligibility;

import static dev.torg.notifications.Channel.EMAIL;
import static dev.torg.notifications.Channel.PUSH;
import static dev.torg.notifications.Channel.WEBHOOK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.eligibility.EligibleAlert.MatchedRule;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.TopicSettings;
import dev.torg.favorites.AlertRule;
import dev.torg.notifications.NotificationTopics;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlertChannelsTest {
  private static final NotificationSettings NONE = NotificationSettings.getDefaultInstance();

  private static MatchedRule rule(AlertReason reason, Delivery delivery, String... channels) {
    return new MatchedRule(
        reason,
        new AlertRule(reason.key("user:1"), Instant.EPOCH, delivery, List.of(channels), "", 0, 0));
  }

  private static MatchedRule search(Delivery delivery, String... channels) {
    return rule(AlertReason.search("q"), delivery, channels);
  }

  private static MatchedRule seller(Delivery delivery, String... channels) {
    return rule(AlertReason.seller("user:2"), delivery, channels);
  }

  private static NotificationSettings topic(String topic, TopicSettings.Builder settings) {
    return NotificationSettings.newBuilder().putTopics(topic, settings.build()).build();
  }

  @Test
  void of_ruleWithoutChannels_isBellOnly() {
    assertThat(AlertChannels.of(List.of(search(Delivery.INSTANT)), NONE)).isEmpty();
  }

  @Test
  void of_rulesDeliveredAlike_areUnited() {
    assertThat(
            AlertChannels.of(
                List.of(search(Delivery.INSTANT, "EMAIL"), seller(Delivery.INSTANT, "PUSH")), NONE))
        .containsExactlyInAnyOrder(EMAIL, PUSH);
  }

  @Test
  void of_dailyRuleBesideAnInstantOne_doesNotCount() {
    assertThat(
            AlertChannels.of(
                List.of(search(Delivery.INSTANT), seller(Delivery.DAILY, "PUSH")), NONE))
        .isEmpty();
  }

  @Test
  void of_ruleOfAMutedTopic_addsNothing() {
    NotificationSettings muted =
        topic(NotificationTopics.SELLERS, TopicSettings.newBuilder().setMuted(true));
    assertThat(
            AlertChannels.of(
                List.of(search(Delivery.INSTANT, "EMAIL"), seller(Delivery.INSTANT, "PUSH")),
                muted))
        .containsExactly(EMAIL);
  }

  @Test
  void of_channelMutedForTheTopic_isOmitted() {
    NotificationSettings muted =
        topic(
            NotificationTopics.SEARCHES,
            TopicSettings.newBuilder()
                .putChannels("EMAIL", ChannelSettings.newBuilder().setMuted(true).build()));
    assertThat(AlertChannels.of(List.of(search(Delivery.INSTANT, "EMAIL", "PUSH")), muted))
        .containsExactly(PUSH);
  }

  @Test
  void of_channelThatAnEarlierVersionStored_isIgnored() {
    assertThat(AlertChannels.of(List.of(search(Delivery.INSTANT, "FAX", "WEBHOOK")), NONE))
        .containsExactly(WEBHOOK);
  }

  @Test
  void of_price_usesTheChannelsNamedForTheTopic() {
    MatchedRule price = rule(AlertReason.price("1"), Delivery.INSTANT);
    assertThat(AlertChannels.of(List.of(price), NONE)).isEmpty();
    NotificationSettings chosen =
        topic(
            NotificationTopics.PRICES,
            TopicSettings.newBuilder()
                .putChannels("PUSH", ChannelSettings.getDefaultInstance())
                .putChannels("EMAIL", ChannelSettings.newBuilder().setMuted(true).build()));
    assertThat(AlertChannels.of(List.of(price), chosen)).containsExactly(PUSH);
  }
}
