package dev.torg.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.TopicSettings;
import org.junit.jupiter.api.Test;

class TopicChannelsTest {
  private static final NotificationSettings SETTINGS =
      NotificationSettings.newBuilder()
          .putTopics(
              NotificationTopics.OFFERS,
              TopicSettings.newBuilder()
                  .putChannels("WEBHOOK", ChannelSettings.getDefaultInstance())
                  .putChannels("SMS", ChannelSettings.newBuilder().setMuted(true).build())
                  .putChannels("FAX", ChannelSettings.getDefaultInstance())
                  .build())
          .build();

  @Test
  void of_ownOffers_isMailAndPush() {
    assertThat(
            TopicChannels.defaults()
                .of(NotificationTopics.OFFERS, NotificationSettings.getDefaultInstance()))
        .containsExactlyInAnyOrder(Channel.EMAIL, Channel.PUSH);
  }

  @Test
  void of_channelNamedInSettings_isAdded() {
    assertThat(TopicChannels.defaults().of(NotificationTopics.OFFERS, SETTINGS))
        .containsExactlyInAnyOrder(Channel.EMAIL, Channel.PUSH, Channel.WEBHOOK);
  }

  @Test
  void of_otherTopic_isBellOnly() {
    assertThat(TopicChannels.defaults().of(NotificationTopics.PRICES, SETTINGS)).isEmpty();
  }
}
