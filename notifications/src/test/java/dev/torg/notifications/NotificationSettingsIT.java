package dev.torg.notifications;

import static dev.torg.notifications.BellFixture.recipient;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UnknownFieldSet;
import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.Limit;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.QuietHours;
import dev.torg.api.v1.TopicSettings;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.notifications.settings.StoredRecipientSettings;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.testkit.TestDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class NotificationSettingsIT {
  @RegisterExtension static final TestDatabase TABLES = BellFixture.tables();

  private static final BellFixture FIXTURE = new BellFixture(TABLES);
  private static final SettingsService SETTINGS =
      new SettingsService(FIXTURE.database, NotificationTopics.defaults());

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @Test
  void get_nothingSet_isDefaults() {
    assertThat(SETTINGS.get(recipient())).isEqualTo(RecipientSettings.DEFAULTS);
  }

  @Test
  void put_allFields_areReadBack() {
    String recipient = recipient();
    NotificationSettings settings =
        NotificationSettings.newBuilder()
            .putTopics(
                NotificationTopics.PRICES,
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
    SETTINGS.put(recipient, settings);
    assertThat(SETTINGS.get(recipient)).isEqualTo(settings);
  }

  @Test
  void put_invalidField_isRefusedByItsName() {
    NotificationSettings settings = NotificationSettings.newBuilder().setTimezone("+02:00").build();
    assertThatThrownBy(() -> SETTINGS.put(recipient(), settings))
        .isInstanceOfSatisfying(
            Failure.class,
            failure ->
                assertThat(failure.violations())
                    .extracting(Failure.Violation::field)
                    .containsExactly("timezone"));
  }

  @Test
  void put_unknownFields_areDropped() {
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    String recipient = recipient();
    SETTINGS.put(
        recipient,
        NotificationSettings.newBuilder().setUnknownFields(unknown).setLanguage("ru").build());
    assertThat(SETTINGS.get(recipient).getUnknownFields().asMap()).isEmpty();
    assertThat(SETTINGS.get(recipient).getLanguage()).isEqualTo("ru");
  }

  /// An earlier version stored settings of any length; alerts read those of thousands of users at once.
  @Test
  void read_rowBeyondTheLimit_isDefaultsAndOthersAreAsStored() {
    String huge = recipient();
    String other = recipient();
    SETTINGS.put(other, NotificationSettings.newBuilder().setLanguage("ru").build());
    byte[] body = withChannels(20_000).toByteArray();
    FIXTURE.database.inTransaction(
        tx ->
            tx.sql("INSERT INTO notification_settings (home, owner, body) VALUES (?, ?, ?)")
                .set(Home.of(huge))
                .set(huge)
                .set(body)
                .update());
    Map<String, NotificationSettings> read =
        FIXTURE.database.read(tx -> new StoredRecipientSettings().of(tx, List.of(huge, other)));
    assertThat(read.get(huge)).isEqualTo(RecipientSettings.DEFAULTS);
    assertThat(read.get(other).getLanguage()).isEqualTo("ru");
  }

  private static NotificationSettings withChannels(int count) {
    TopicSettings.Builder topic = TopicSettings.newBuilder();
    for (int i = 0; i < count; i++) {
      topic.putChannels("c" + i, ChannelSettings.getDefaultInstance());
    }
    return NotificationSettings.newBuilder()
        .putTopics(NotificationTopics.PRICES, topic.build())
        .build();
  }
}
