package dev.torg.server.config;

import dev.torg.notifications.DeliveryLimits;
import dev.torg.notifications.NotificationCenterSettings;
import dev.torg.notifications.SenderSettings;
import dev.torg.photos.PhotoSettings;
import dev.torg.platform.Loopback;
import dev.torg.platform.identity.IdentityProvider;
import dev.torg.promotions.PaymentProviderSettings;
import dev.torg.promotions.PriceSettings;
import dev.torg.server.DevelopmentLogin;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/// The complete configuration of a process, read once and validated: its users need not check again.
public record Configuration(
    Path data,
    String host,
    int port,
    Optional<String> database,
    int databaseConnections,
    int embeddedDatabasePort,
    Optional<String> kafka,
    Map<String, String> kafkaSettings,
    int embeddedKafkaPort,
    boolean allowWeakKafka,
    OptionalLong consumerBufferBytes,
    Set<Role> roles,
    Path keys,
    DevelopmentLogin login,
    Duration tokenLifetime,
    Duration anonymousTokenLifetime,
    Optional<IdentityProvider> identityProvider,
    List<String> trustedProxies,
    int callsPerSecond,
    int anonymousPerMinute,
    QuotaConfig quotas,
    Optional<Path> categories,
    Duration offerLifetime,
    Duration archiveAfter,
    Duration claimFor,
    Duration notificationRetention,
    PhotoSettings photos,
    Optional<Path> feedCategories,
    int feedRemovalPercent,
    PriceSettings promotionPrices,
    FavoriteLimitsConfig favoriteLimits,
    ZoneId defaultTimezone,
    SenderSettings senders,
    DeliveryLimits delivery,
    PaymentProviderSettings payments,
    String logLevel,
    boolean jsonLogs,
    boolean accessLog) {

  /// Settings that require an identity provider.
  private static final List<Setting> OF_PROVIDER =
      List.of(
          Setting.IDENTITY_ISSUER,
          Setting.IDENTITY_AUDIENCE,
          Setting.IDENTITY_SUBJECT_CLAIM,
          Setting.IDENTITY_ROLES_CLAIM);

  private static final List<String> LOG_LEVELS = List.of("error", "warn", "info", "debug", "trace");

  public static Configuration of(SettingValues settings) {
    SettingReader read = new SettingReader(settings);
    Optional<String> database = database(read);
    Optional<String> kafka = read.text(Setting.KAFKA);
    if (database.isPresent() != kafka.isPresent()) {
      throw new InvalidSettingException(
          database.isPresent() ? "kafka" : "db",
          "must be given too: either both are embedded or neither");
    }
    DevelopmentLogin login = LoginSetting.of(read, database.isPresent());
    SenderSettings senders = SenderSettingsReader.of(read, login != DevelopmentLogin.OFF);
    Path data = read.path(Setting.DATA).orElse(Path.of("")).toAbsolutePath().normalize();
    return new Configuration(
        data,
        read.value(Setting.HOST),
        read.number(Setting.PORT, 0, 65535),
        database,
        read.number(Setting.DB_CONNECTIONS, 4, 1000),
        read.number(Setting.DB_PORT, 0, 65535),
        kafka,
        KafkaProperties.of(read, kafka.isPresent()),
        read.number(Setting.KAFKA_PORT, 0, 65535),
        read.yesOrNo(Setting.ALLOW_WEAK_KAFKA),
        consumerBuffer(read),
        roles(read),
        read.path(Setting.KEYS).orElse(data.resolve("keys.json")),
        login,
        read.duration(Setting.TOKEN_LIFETIME),
        read.duration(Setting.ANONYMOUS_TOKEN_LIFETIME),
        identityProvider(read),
        read.ranges(Setting.TRUSTED_PROXIES),
        read.number(Setting.RATE_LIMIT, 1, 1_000_000),
        read.number(Setting.ANONYMOUS_PER_MINUTE, 1, 1_000_000),
        QuotaConfig.of(read),
        read.file(Setting.CATEGORIES),
        read.duration(Setting.OFFER_LIFETIME),
        read.duration(Setting.ARCHIVE_AFTER),
        read.duration(Setting.CLAIM_FOR),
        notificationRetention(read),
        PhotoSettingsReader.of(read, data),
        read.file(Setting.FEED_CATEGORIES),
        read.number(Setting.FEED_REMOVAL_PERCENT, 0, 100),
        PriceSettingsReader.of(read),
        FavoriteLimitsConfig.of(read),
        timezone(read),
        senders,
        DeliverySettingsReader.of(read),
        PaymentSettingsReader.of(read, login, senders.publicUrl()),
        read.oneOf(Setting.LOG_LEVEL, LOG_LEVELS),
        read.oneOf(Setting.LOG_FORMAT, List.of("plain", "json")).equals("json"),
        read.yesOrNo(Setting.ACCESS_LOG));
  }

  private static Duration notificationRetention(SettingReader read) {
    Duration retention = read.duration(Setting.NOTIFICATION_RETENTION);
    if (retention.compareTo(NotificationCenterSettings.MIN_RETENTION) < 0) {
      throw SettingReader.invalid(
          Setting.NOTIFICATION_RETENTION,
          "must be at least " + NotificationCenterSettings.MIN_RETENTION);
    }
    return retention;
  }

  private static OptionalLong consumerBuffer(SettingReader read) {
    long megabytes = read.number(Setting.CONSUMER_BUFFER_MB, 0, 100_000);
    return megabytes == 0 ? OptionalLong.empty() : OptionalLong.of(megabytes << 20);
  }

  private static ZoneId timezone(SettingReader read) {
    try {
      return ZoneId.of(read.value(Setting.DEFAULT_TIMEZONE));
    } catch (DateTimeException e) {
      throw SettingReader.invalid(
          Setting.DEFAULT_TIMEZONE, "must be a timezone like Europe/Berlin");
    }
  }

  public boolean isEmbedded() {
    return database.isEmpty();
  }

  /// Whether only this machine can reach the server.
  public boolean isLoopback() {
    return Loopback.isLoopback(host);
  }

  /// The address of an external database, with user and password if they are separate settings.
  private static Optional<String> database(SettingReader read) {
    return read.text(Setting.DB)
        .map(
            url -> {
              if (!url.startsWith("jdbc:postgresql://")) {
                throw SettingReader.invalid(Setting.DB, "must start with jdbc:postgresql://");
              }
              return withParameter(
                  withParameter(url, "user", read.value(Setting.DB_USER)),
                  "password",
                  read.unstripped(Setting.DB_PASSWORD));
            });
  }

  private static String withParameter(String url, String name, String value) {
    if (value.isEmpty()) {
      return url;
    }
    return url
        + (url.contains("?") ? "&" : "?")
        + name
        + "="
        + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private static Optional<IdentityProvider> identityProvider(SettingReader read) {
    if (read.text(Setting.IDENTITY_JWKS).isEmpty()) {
      OF_PROVIDER.forEach(setting -> refuseWithoutProvider(read, setting));
      return Optional.empty();
    }
    URI jwks = read.url(Setting.IDENTITY_JWKS);
    String issuer = read.value(Setting.IDENTITY_ISSUER);
    if (issuer.isEmpty()) {
      throw SettingReader.invalid(Setting.IDENTITY_ISSUER, "must be given with identity-jwks");
    }
    return Optional.of(
        new IdentityProvider(
            issuer,
            jwks,
            read.text(Setting.IDENTITY_AUDIENCE),
            read.value(Setting.IDENTITY_SUBJECT_CLAIM),
            read.value(Setting.IDENTITY_ROLES_CLAIM)));
  }

  /// Alone it would be ignored, and the operator would expect the provider's users to be able to
  /// log in.
  private static void refuseWithoutProvider(SettingReader read, Setting setting) {
    if (!read.value(setting).equals(setting.defaultValue())) {
      throw SettingReader.invalid(
          setting, "has no meaning without identity-jwks, the provider's keys");
    }
  }

  private static Set<Role> roles(SettingReader read) {
    return read.parse(
        Setting.ROLES,
        "must be a comma-separated list of " + names(Role.values()),
        text ->
            Arrays.stream(text.split(",", -1))
                .map(name -> Role.valueOf(name.strip().toUpperCase(Locale.ROOT)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Role.class))));
  }

  private static String names(Role[] roles) {
    return Arrays.stream(roles)
        .map(role -> role.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
