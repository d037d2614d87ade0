package dev.torg.notifications.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.AllTopicsChannelSettings;
import dev.torg.api.v1.AllTopicsSettings;
import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.Limit;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.QuietHours;
import dev.torg.api.v1.TopicSettings;
import dev.torg.notifications.NotificationTopics;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NotificationSettingsValidatorTest {
  private static final NotificationSettingsValidator RULES =
      new NotificationSettingsValidator(NotificationTopics.defaults());

  private static List<String> wrong(NotificationSettings.Builder settings) {
    try {
      RULES.check(settings.build());
      return List.of();
    } catch (Failure e) {
      assertThat(e.kind()).isEqualTo(Failure.Kind.INVALID);
      return e.violations().stream().map(Violation::field).toList();
    }
  }

  private static NotificationSettings.Builder settings() {
    return NotificationSettings.newBuilder();
  }

  private static Limit limit(int count, Limit.Per per) {
    return Limit.newBuilder().setCount(count).setPer(per).build();
  }

  private static NotificationSettings.Builder ofTopic(
      String channel, ChannelSettings.Builder value) {
    return settings()
        .putTopics(
            NotificationTopics.PRICES,
            TopicSettings.newBuilder().putChannels(channel, value.build()).build());
  }

  private static NotificationSettings.Builder ofAll(
      String channel, AllTopicsChannelSettings.Builder value) {
    return settings()
        .setAllTopics(AllTopicsSettings.newBuilder().putChannels(channel, value.build()));
  }

  static Stream<NotificationSettings.Builder> sensible() {
    return Stream.of(
        settings(),
        settings().setTimezone("Europe/Berlin").setDigestHour(0).setLanguage("ru"),
        settings().setTimezone("UTC").setDigestHour(23).setLanguage("en"),
        settings().setQuietHours(QuietHours.newBuilder().setFrom("22:30").setTo("07:00")),
        settings()
            .putTopics(
                NotificationTopics.PRICES, TopicSettings.newBuilder().setMuted(true).build()),
        settings()
            .putTopics(
                NotificationTopics.ACCOUNT, TopicSettings.newBuilder().setMuted(false).build()),
        ofTopic("EMAIL", ChannelSettings.newBuilder().setLimit(limit(3, Limit.Per.DAY))),
        ofTopic("WEBHOOK", ChannelSettings.newBuilder().setLimit(limit(0, Limit.Per.HOUR))),
        ofAll(
            "SMS",
            AllTopicsChannelSettings.newBuilder()
                .setLimit(limit(1, Limit.Per.WEEK))
                .setMinGapSeconds(0)));
  }

  @ParameterizedTest
  @MethodSource("sensible")
  void check_validSettings_areAccepted(NotificationSettings.Builder settings) {
    assertThatCode(() -> RULES.check(settings.build())).doesNotThrowAnyException();
  }

  static Stream<Arguments> nonsense() {
    return Stream.of(
        Arguments.of(
            "topics.weather", settings().putTopics("weather", TopicSettings.getDefaultInstance())),
        Arguments.of(
            "topics.account.muted",
            settings()
                .putTopics(
                    NotificationTopics.ACCOUNT, TopicSettings.newBuilder().setMuted(true).build())),
        Arguments.of("topics.prices.channels.9", ofTopic("9", ChannelSettings.newBuilder())),
        Arguments.of(
            "topics.prices.channels.EMAIL.limit.count",
            ofTopic("EMAIL", ChannelSettings.newBuilder().setLimit(limit(-1, Limit.Per.DAY)))),
        Arguments.of(
            "topics.prices.channels.EMAIL.limit.per",
            ofTopic(
                "EMAIL", ChannelSettings.newBuilder().setLimit(Limit.newBuilder().setCount(1)))),
        Arguments.of(
            "topics.prices.channels.EMAIL.limit.per",
            ofTopic(
                "EMAIL",
                ChannelSettings.newBuilder()
                    .setLimit(Limit.newBuilder().setCount(1).setPerValue(99)))),
        Arguments.of("allTopics.channels.a b", ofAll("a b", AllTopicsChannelSettings.newBuilder())),
        Arguments.of(
            "allTopics.channels.push", ofAll("push", AllTopicsChannelSettings.newBuilder())),
        Arguments.of(
            "topics.payments.channels.PUSH",
            settings()
                .putTopics(
                    NotificationTopics.PAYMENTS,
                    TopicSettings.newBuilder()
                        .putChannels("PUSH", ChannelSettings.newBuilder().setMuted(true).build())
                        .build())),
        Arguments.of(
            "topics.account.channels.EMAIL",
            settings()
                .putTopics(
                    NotificationTopics.ACCOUNT,
                    TopicSettings.newBuilder()
                        .putChannels(
                            "EMAIL",
                            ChannelSettings.newBuilder().setLimit(limit(1, Limit.Per.DAY)).build())
                        .build())),
        Arguments.of(
            "allTopics.channels.PUSH.limit.count",
            ofAll(
                "PUSH", AllTopicsChannelSettings.newBuilder().setLimit(limit(-1, Limit.Per.WEEK)))),
        Arguments.of(
            "allTopics.channels.PUSH.minGapSeconds",
            ofAll("PUSH", AllTopicsChannelSettings.newBuilder().setMinGapSeconds(-1))),
        Arguments.of(
            "allTopics.channels.PUSH.minGapSeconds",
            ofAll("PUSH", AllTopicsChannelSettings.newBuilder().setMinGapSeconds(604_801))));
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void check_invalidValue_namesTheField(String field, NotificationSettings.Builder settings) {
    assertThat(wrong(settings)).containsExactly(field);
  }

  @ParameterizedTest
  @CsvSource({
    "00:00, true",
    "23:59, true",
    "24:00, false",
    "7:00, false",
    "07:60, false",
    "07:00:00, false",
    "'', false",
    "noon, false",
  })
  void check_quietHours_areLocalTimes(String time, boolean valid) {
    QuietHours.Builder from = QuietHours.newBuilder().setFrom(time).setTo("08:00");
    QuietHours.Builder to = QuietHours.newBuilder().setFrom("22:00").setTo(time);
    assertThat(wrong(settings().setQuietHours(from)))
        .isEqualTo(valid ? List.of() : List.of("quietHours.from"));
    assertThat(wrong(settings().setQuietHours(to)))
        .isEqualTo(valid ? List.of() : List.of("quietHours.to"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"+02:00", "Berlin", "europe/berlin", "Mars/Olympus"})
  void check_timezone_isAnIanaName(String timezone) {
    assertThat(wrong(settings().setTimezone(timezone))).containsExactly("timezone");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 24, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void check_digestHour_isFrom0To23(int hour) {
    assertThat(wrong(settings().setDigestHour(hour))).containsExactly("digestHour");
  }

  @ParameterizedTest
  @ValueSource(strings = {"xx", "EN", "de"})
  void check_language_isSupported(String language) {
    assertThat(wrong(settings().setLanguage(language))).containsExactly("language");
  }

  @Test
  void check_severalInvalidFields_namesAll() {
    NotificationSettings.Builder all =
        settings()
            .putTopics("weather", TopicSettings.getDefaultInstance())
            .putTopics(
                NotificationTopics.ACCOUNT, TopicSettings.newBuilder().setMuted(true).build())
            .setQuietHours(QuietHours.newBuilder().setFrom("24:00").setTo("7:00"))
            .setTimezone("+02:00")
            .setDigestHour(24)
            .setLanguage("xx");
    assertThat(wrong(all))
        .containsExactlyInAnyOrder(
            "topics.weather",
            "topics.account.muted",
            "quietHours.from",
            "quietHours.to",
            "timezone",
            "digestHour",
            "language");
  }

  /// Topics, channels of each topic, channels of all topics.
  @ParameterizedTest
  @CsvSource({
    "1, 25, 25, true",
    "2, 25, 0, true",
    "1, 26, 25, false",
    "2, 25, 1, false",
    "0, 0, 51, false"
  })
  void check_channels_areAtMostFiftyInTotal(int topics, int ofTopic, int ofAll, boolean valid) {
    NotificationSettings.Builder settings = settings();
    for (String id :
        List.of(NotificationTopics.PRICES, NotificationTopics.NEWS).subList(0, topics)) {
      TopicSettings.Builder topic = TopicSettings.newBuilder();
      for (int i = 0; i < ofTopic; i++) {
        topic.putChannels(name(i), ChannelSettings.getDefaultInstance());
      }
      settings.putTopics(id, topic.build());
    }
    AllTopicsSettings.Builder all = AllTopicsSettings.newBuilder();
    for (int i = 0; i < ofAll; i++) {
      all.putChannels(name(i), AllTopicsChannelSettings.getDefaultInstance());
    }
    List<String> wrong = wrong(settings.setAllTopics(all));
    assertThat(wrong.equals(List.of("topics"))).isEqualTo(!valid);
  }

  private static String name(int i) {
    return "c" + "x".repeat(i / 26) + (char) ('a' + i % 26);
  }

  @Test
  void check_moreThanSixteenKilobytes_isTooLarge() {
    assertThatThrownBy(() -> RULES.check(settings().setTimezone("x".repeat(17_000)).build()))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.code()).isEqualTo("settings.too-large"));
  }
}
