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
import dev.torg.notifications.settings.DeviceTimezones;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.notifications.settings.StoredRecipientSettings;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.testkit.TestDatabase;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class NotificationSettingsIT {
  @RegisterExtension static final TestDatabase TABLES = BellFixture.tables();

  private static final BellFixture FIXTURE = new BellFixture(TABLES);
  private static final SettingsService SETTINGS = FIXTURE.settings();

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
                        "EMAIL",
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
    assertThat(SETTINGS.get(recipient))
        .isEqualTo(settings.toBuilder().setEffectiveTimezone("Europe/Berlin").build());
  }

  /// A client sends back what it read: the timezone stays unset.
  @Test
  void put_settingsAsRead_timezoneStaysUnset() {
    String recipient = recipient();
    SETTINGS.put(recipient, SETTINGS.get(recipient));
    NotificationSettings inTokyo =
        FIXTURE.settings(DeviceTimezones.NONE, ZoneId.of("Asia/Tokyo")).get(recipient);
    assertThat(inTokyo.getTimezone()).isEmpty();
    assertThat(inTokyo.getEffectiveTimezone()).isEqualTo("Asia/Tokyo");
    assertThat(RecipientSettings.zone(inTokyo)).isEqualTo(ZoneId.of("Asia/Tokyo"));
  }

  /// An effective timezone in a request is ignored, even if it is not one.
  @Test
  void put_effectiveTimezone_isIgnored() {
    String recipient = recipient();
    NotificationSettings put =
        SETTINGS.put(
            recipient, NotificationSettings.newBuilder().setEffectiveTimezone("Mars").build());
    assertThat(put.getEffectiveTimezone()).isEqualTo("UTC");
    assertThat(SETTINGS.get(recipient)).isEqualTo(put);
  }

  @Test
  void get_timezone_isOwnElseOfTheDeviceElseTheDefault() {
    String recipient = recipient();
    String withoutDevice = recipient();
    DeviceTimezones devices =
        (_, recipients) ->
            recipients.contains(recipient) ? Map.of(recipient, ZoneId.of("Asia/Tokyo")) : Map.of();
    SettingsService settings = FIXTURE.settings(devices, ZoneId.of("Europe/Moscow"));
    assertThat(settings.get(withoutDevice).getEffectiveTimezone()).isEqualTo("Europe/Moscow");
    assertThat(settings.get(recipient).getEffectiveTimezone()).isEqualTo("Asia/Tokyo");
    settings.put(recipient, NotificationSettings.newBuilder().setTimezone("UTC").build());
    assertThat(settings.get(recipient).getEffectiveTimezone()).isEqualTo("UTC");
    assertThat(settings.get(recipient).getTimezone()).isEqualTo("UTC");
    settings.put(recipient, NotificationSettings.getDefaultInstance());
    assertThat(settings.get(recipient).getEffectiveTimezone()).isEqualTo("Asia/Tokyo");
    assertThat(settings.get(recipient).getTimezone()).isEmpty();
  }

  @Test
  void put_withListener_isCalledWithTheCompletedSettings() {
    String recipient = recipient();
    List<NotificationSettings> received = new ArrayList<>();
    SettingsService settings =
        new SettingsService(
            FIXTURE.database,
            NotificationTopics.defaults(),
            new StoredRecipientSettings(DeviceTimezones.NONE, ZoneId.of("UTC")),
            List.of((_, _, replaced) -> received.add(replaced)));
    NotificationSettings put =
        settings.put(recipient, NotificationSettings.newBuilder().setDigestHour(7).build());
    assertThat(received).containsExactly(put);
    assertThat(put.getEffectiveTimezone()).isEqualTo("UTC");
    assertThat(put.getDigestHour()).isEqualTo(7);
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
        FIXTURE.database.read(
            tx ->
                new StoredRecipientSettings(DeviceTimezones.NONE, ZoneId.of("UTC"))
                    .of(tx, List.of(huge, other)));
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
