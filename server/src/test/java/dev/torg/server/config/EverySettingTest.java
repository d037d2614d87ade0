package dev.torg.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A bad value of any setting fails with the key's name. A setting is in one of the tables below.
class EverySettingTest {
  private record Range(int from, int to) {}

  private static final Range PORTS = new Range(0, 65_535);
  private static final Range COUNT = new Range(1, 1_000_000);
  private static final Range SLOTS = new Range(1, 100_000);
  private static final Range LIMIT = new Range(0, 1_000_000);

  private static final Map<Setting, Range> NUMBERS = numbers();

  private static final Set<Setting> DURATIONS =
      EnumSet.of(
          Setting.TOKEN_LIFETIME,
          Setting.ANONYMOUS_TOKEN_LIFETIME,
          Setting.CALL_TIMEOUT,
          Setting.STALL_TIMEOUT,
          Setting.OFFER_LIFETIME,
          Setting.ARCHIVE_AFTER,
          Setting.CLAIM_FOR,
          Setting.FEED_UPLOAD_TIMEOUT);

  private static final Set<Setting> CHOICES =
      EnumSet.of(
          Setting.ALLOW_WEAK_KAFKA,
          Setting.ROLES,
          Setting.LOGIN,
          Setting.MAIL_STARTTLS,
          Setting.MAIL_FROM,
          Setting.DEFAULT_TIMEZONE,
          Setting.SMS_GATEWAY_METHOD,
          Setting.SMS_GATEWAY_SUCCESS,
          Setting.PAYMENT_PROVIDER,
          Setting.SANDBOX_WEBHOOK_SHUFFLE,
          Setting.LOG_LEVEL,
          Setting.LOG_FORMAT,
          Setting.ACCESS_LOG);

  private static final Set<Setting> READABLE_FILES =
      EnumSet.of(
          Setting.KAFKA_PROPERTIES,
          Setting.CATEGORIES,
          Setting.FEED_CATEGORIES,
          Setting.PROMOTION_PRICES,
          Setting.PUSH_FCM_CREDENTIALS);

  private static final Set<Setting> PATHS =
      EnumSet.of(Setting.DATA, Setting.KEYS, Setting.PHOTO_STORE);

  private static final Set<Setting> URLS =
      EnumSet.of(
          Setting.IDENTITY_JWKS,
          Setting.PHOTO_S3_ENDPOINT,
          Setting.PHOTO_URL,
          Setting.PROMOTION_PRICE_URL,
          Setting.PUBLIC_URL,
          Setting.PUSH_FCM_URL,
          Setting.STRIPE_URL);

  /// Checked with others, or by what they are used for. [ConfigurationTest] has their cases.
  private static final Set<Setting> TEXTS =
      EnumSet.of(
          Setting.HOST,
          Setting.DB,
          Setting.DB_USER,
          Setting.DB_PASSWORD,
          Setting.KAFKA,
          Setting.IDENTITY_ISSUER,
          Setting.IDENTITY_AUDIENCE,
          Setting.IDENTITY_SUBJECT_CLAIM,
          Setting.IDENTITY_ROLES_CLAIM,
          Setting.TRUSTED_PROXIES,
          Setting.NOTIFICATION_RETENTION,
          Setting.PHOTO_S3_REGION,
          Setting.PHOTO_S3_KEY,
          Setting.PHOTO_S3_SECRET,
          Setting.PHOTO_HOSTS,
          Setting.PROMOTION_PRICE_TOKEN,
          Setting.MAIL_SMTP,
          Setting.SMS_GATEWAY_URL,
          Setting.SMS_GATEWAY_HEADERS,
          Setting.SMS_GATEWAY_BODY,
          Setting.WEBHOOK_HOSTS,
          Setting.PUSH_VAPID_PUBLIC_KEY,
          Setting.PUSH_VAPID_PRIVATE_KEY,
          Setting.PUSH_VAPID_SUBJECT,
          Setting.PUSH_APNS_KEY,
          Setting.PUSH_APNS_KEY_ID,
          Setting.PUSH_APNS_TEAM_ID,
          Setting.PUSH_APNS_TOPIC,
          Setting.PUSH_APNS_SERVER,
          Setting.PUSH_APNS_CATEGORIES,
          Setting.SANDBOX_WEBHOOK_URL,
          Setting.SANDBOX_WEBHOOK_SECRET,
          Setting.SANDBOX_WEBHOOK_DELAY,
          Setting.STRIPE_KEY,
          Setting.STRIPE_WEBHOOK_SECRET);

  private static Map<Setting, Range> numbers() {
    Map<Setting, Range> numbers = new EnumMap<>(Setting.class);
    Stream.of(Setting.PORT, Setting.DB_PORT, Setting.KAFKA_PORT)
        .forEach(setting -> numbers.put(setting, PORTS));
    Stream.of(
            Setting.RATE_LIMIT,
            Setting.ANONYMOUS_PER_MINUTE,
            Setting.BATCH_ITEMS_PER_CALL,
            Setting.CONNECTIONS,
            Setting.CONNECTIONS_PER_ADDRESS,
            Setting.HTTP2_STREAMS,
            Setting.CALLS,
            Setting.CALLS_PER_ADDRESS,
            Setting.STREAMS,
            Setting.STREAMS_PER_ADDRESS,
            Setting.PHOTO_UPLOADS,
            Setting.PHOTO_UPLOADS_PER_CALLER,
            Setting.FEED_UPLOADS,
            Setting.FEED_UPLOADS_PER_SELLER)
        .forEach(setting -> numbers.put(setting, COUNT));
    Stream.of(Setting.values())
        .filter(setting -> setting.name().contains("FAVORITES_MAX_"))
        .forEach(setting -> numbers.put(setting, LIMIT));
    Stream.of(Setting.values())
        .filter(setting -> setting.name().startsWith("DELIVERY_RATE_"))
        .forEach(setting -> numbers.put(setting, COUNT));
    Stream.of(Setting.values())
        .filter(setting -> setting.name().startsWith("DELIVERY_SLOTS_"))
        .forEach(setting -> numbers.put(setting, SLOTS));
    numbers.put(Setting.SANDBOX_WEBHOOK_REPEATS, new Range(0, 100));
    numbers.put(Setting.DB_CONNECTIONS, new Range(4, 1_000));
    numbers.put(Setting.CONSUMER_BUFFER_MB, new Range(0, 100_000));
    numbers.put(Setting.REQUEST_MEMORY, new Range(0, 1_000_000));
    numbers.put(Setting.RESPONSE_MEMORY, new Range(0, 1_000_000));
    numbers.put(Setting.PHOTO_THREADS, new Range(0, 256));
    numbers.put(Setting.FEED_REMOVAL_PERCENT, new Range(0, 100));
    numbers.put(Setting.SMS_GATEWAY_SEGMENTS, new Range(1, 10));
    return numbers;
  }

  @Test
  void everySetting_isInOneTable() {
    List<Setting> all =
        Stream.of(NUMBERS.keySet(), DURATIONS, CHOICES, READABLE_FILES, PATHS, URLS, TEXTS)
            .flatMap(Set::stream)
            .toList();
    assertThat(all).containsExactlyInAnyOrder(Setting.values());
  }

  static Stream<Arguments> badValues() {
    return Stream.of(
            NUMBERS.entrySet().stream()
                .flatMap(
                    setting ->
                        values(
                            Set.of(setting.getKey()),
                            "many",
                            "1.5",
                            "",
                            "99999999999",
                            Integer.toString(setting.getValue().from() - 1),
                            Integer.toString(setting.getValue().to() + 1))),
            values(DURATIONS, "soon", "45", "", "PT0S", "PT-1H", "P36501D"),
            values(CHOICES, "perhaps", "", "yes"),
            values(READABLE_FILES, "/no/such/file", "a\0b"),
            values(PATHS, "a\0b"),
            values(URLS, "keys", "file:///keys", "https://", "https://a b"))
        .flatMap(arguments -> arguments);
  }

  private static Stream<Arguments> values(Set<Setting> settings, String... values) {
    return settings.stream()
        .flatMap(setting -> Stream.of(values).map(value -> Arguments.of(setting, value)));
  }

  @ParameterizedTest
  @MethodSource("badValues")
  void of_badValue_namesTheKey(Setting setting, String value) {
    assertThatThrownBy(() -> configuration(setting, value))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith(setting.key() + " ");
  }

  static Stream<Arguments> goodValues() {
    return Stream.concat(
        NUMBERS.entrySet().stream()
            .flatMap(
                setting ->
                    values(
                        Set.of(setting.getKey()),
                        Integer.toString(setting.getValue().from()),
                        " " + setting.getValue().to() + " ")),
        values(DURATIONS, "PT30S", "P36500D"));
  }

  @ParameterizedTest
  @MethodSource("goodValues")
  void of_valueAtTheEdge_isAccepted(Setting setting, String value) {
    assertThatCode(() -> configuration(setting, value)).doesNotThrowAnyException();
  }

  private static Configuration configuration(Setting setting, String value) {
    Map<Setting, String> options = new EnumMap<>(Setting.class);
    options.put(setting, value);
    if (setting == Setting.PHOTO_S3_ENDPOINT) {
      options.put(Setting.PHOTO_STORE, "s3://bucket");
    }
    return Configuration.of(SettingValues.read(options, Map.of(), Optional.empty()));
  }
}
