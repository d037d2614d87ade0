package dev.torg.notifications;

import static dev.torg.notifications.BellFixture.reader;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.Limit;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.QuietHours;
import dev.torg.api.v1.TopicSettings;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.platform.Failure;
import dev.torg.testkit.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SettingsIT {
  @RegisterExtension static final TestDatabase TABLES = BellFixture.tables();

  private static final BellFixture FIXTURE = new BellFixture(TABLES);
  private static final SettingsService SETTINGS =
      new SettingsService(FIXTURE.database, Topics.STANDARD);

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @Test
  void get_nothingSaid_isDefaults() {
    assertThat(SETTINGS.get(reader())).isEqualTo(ReaderSettings.DEFAULTS);
  }

  @Test
  void put_all_comesBackWhole() {
    String reader = reader();
    NotificationSettings said =
        NotificationSettings.newBuilder()
            .putTopics(
                Topics.PRICES,
                TopicSettings.newBuilder()
                    .setMuted(true)
                    .putChannels(
                        "email",
                        ChannelSettings.newBuilder()
                            .setLimit(Limit.newBuilder().setCount(3).setPer(Limit.Per.DAY))
                            .build())
                    .build())
            .setQuietHours(QuietHours.newBuilder().setFrom("22:30").setTo("07:00"))
            .setTimezone("Europe/Berlin")
            .setDigestHour(0)
            .setLanguage("ru")
            .build();
    SETTINGS.put(reader, said);
    assertThat(SETTINGS.get(reader)).isEqualTo(said);
  }

  @Test
  void put_nonsense_namesEveryField() {
    NotificationSettings said =
        NotificationSettings.newBuilder()
            .putTopics("weather", TopicSettings.getDefaultInstance())
            .putTopics(Topics.ACCOUNT, TopicSettings.newBuilder().setMuted(true).build())
            .setQuietHours(QuietHours.newBuilder().setFrom("24:00").setTo("7:00"))
            .setTimezone("+02:00")
            .setDigestHour(24)
            .setLanguage("xx")
            .build();
    assertThatThrownBy(() -> SETTINGS.put(reader(), said))
        .isInstanceOfSatisfying(
            Failure.class,
            failure ->
                assertThat(failure.violations())
                    .extracting(Failure.Violation::field)
                    .containsExactlyInAnyOrder(
                        "topics.weather",
                        "topics.account.muted",
                        "quietHours.from",
                        "quietHours.to",
                        "timezone",
                        "digestHour",
                        "language"));
  }
}
