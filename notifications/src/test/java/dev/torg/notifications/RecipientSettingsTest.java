package dev.torg.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.TopicSettings;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class RecipientSettingsTest {
  @Test
  void complete_nothingSaid_isDefaults() {
    assertThat(RecipientSettings.complete(NotificationSettings.getDefaultInstance()))
        .isEqualTo(RecipientSettings.DEFAULTS);
  }

  /// Midnight is an hour that a person may choose.
  @Test
  void complete_whatWasSaid_stays() {
    NotificationSettings said =
        NotificationSettings.newBuilder()
            .setTimezone("Europe/Berlin")
            .setLanguage("ru")
            .setDigestHour(0)
            .putTopics(NotificationTopics.NEWS, TopicSettings.newBuilder().setMuted(true).build())
            .build();
    assertThat(RecipientSettings.complete(said)).isEqualTo(said);
    assertThat(RecipientSettings.zone(said)).isEqualTo(ZoneId.of("Europe/Berlin"));
  }

  @Test
  void isMuted_onlyWhereSaid() {
    NotificationSettings said =
        NotificationSettings.newBuilder()
            .putTopics(NotificationTopics.NEWS, TopicSettings.newBuilder().setMuted(true).build())
            .putTopics(
                NotificationTopics.PRICES, TopicSettings.newBuilder().setMuted(false).build())
            .build();
    assertThat(RecipientSettings.isMuted(said, NotificationTopics.NEWS)).isTrue();
    assertThat(RecipientSettings.isMuted(said, NotificationTopics.PRICES)).isFalse();
    assertThat(RecipientSettings.isMuted(said, NotificationTopics.SEARCHES)).isFalse();
  }
}
