package dev.torg.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.TopicSettings;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class RecipientSettingsTest {
  @Test
  void complete_nothingSet_isDefaults() {
    assertThat(
            RecipientSettings.complete(NotificationSettings.getDefaultInstance(), ZoneId.of("UTC")))
        .isEqualTo(RecipientSettings.DEFAULTS);
  }

  /// Midnight is a valid choice.
  @Test
  void complete_fieldsThatAreSet_areKept() {
    NotificationSettings settings =
        NotificationSettings.newBuilder()
            .setTimezone("Europe/Berlin")
            .setLanguage("ru")
            .setDigestHour(0)
            .putTopics(NotificationTopics.NEWS, TopicSettings.newBuilder().setMuted(true).build())
            .build();
    assertThat(RecipientSettings.complete(settings, ZoneId.of("Asia/Tokyo")))
        .isEqualTo(settings.toBuilder().setEffectiveTimezone("Europe/Berlin").build());
    assertThat(RecipientSettings.zone(settings)).isEqualTo(ZoneId.of("Europe/Berlin"));
  }
}
