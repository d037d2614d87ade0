package dev.torg.server.config;

import com.google.common.net.InetAddresses;
import com.linecorp.armeria.common.util.InetAddressPredicates;
import dev.torg.platform.identity.IdentityProvider;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// All of a process's configuration, read once and checked: whoever holds one need not check again.
public record Configuration(
    Path data,
    String host,
    int port,
    Optional<String> database,
    int databaseConnections,
    int embeddedDatabasePort,
    Optional<String> kafka,
    int embeddedKafkaPort,
    boolean allowWeakKafka,
    Set<Role> roles,
    Path keys,
    boolean login,
    Duration tokenLifetime,
    Duration anonymousTokenLifetime,
    Optional<IdentityProvider> identityProvider,
    List<String> trustedProxies,
    int callsPerSecond,
    int anonymousPerMinute,
    Optional<Path> categories,
    String logLevel,
    boolean jsonLogs,
    boolean accessLog) {

  /// What only an identity provider gives a meaning.
  private static final List<Setting> OF_PROVIDER =
      List.of(
          Setting.IDENTITY_ISSUER,
          Setting.IDENTITY_AUDIENCE,
          Setting.IDENTITY_SUBJECT_CLAIM,
          Setting.IDENTITY_ROLES_CLAIM);

  private static final List<String> LOG_LEVELS = List.of("error", "warn", "info", "debug", "trace");

  public static Configuration of(Settings settings) {
    Optional<String> database = database(settings);
    Optional<String> kafka = text(settings, Setting.KAFKA);
    if (database.isPresent() != kafka.isPresent()) {
      throw new BadSetting(
          database.isPresent() ? "kafka" : "db",
          "must be given too: either both are embedded or neither");
    }
    Path data = Path.of(settings.value(Setting.DATA)).toAbsolutePath().normalize();
    return new Configuration(
        data,
        settings.value(Setting.HOST),
        number(settings, Setting.PORT, 0, 65535),
        database,
        number(settings, Setting.DB_CONNECTIONS, 4, 1000),
        number(settings, Setting.DB_PORT, 0, 65535),
        kafka,
        number(settings, Setting.KAFKA_PORT, 0, 65535),
        yesOrNo(settings, Setting.ALLOW_WEAK_KAFKA),
        roles(settings),
        text(settings, Setting.KEYS).map(Path::of).orElse(data.resolve("keys.json")),
        login(settings, database.isPresent()),
        duration(settings, Setting.TOKEN_LIFETIME),
        duration(settings, Setting.ANONYMOUS_TOKEN_LIFETIME),
        identityProvider(settings),
        trustedProxies(settings),
        number(settings, Setting.RATE_LIMIT, 1, 1_000_000),
        number(settings, Setting.ANONYMOUS_PER_MINUTE, 1, 1_000_000),
        file(settings, Setting.CATEGORIES),
        oneOf(settings, Setting.LOG_LEVEL, LOG_LEVELS),
        oneOf(settings, Setting.LOG_FORMAT, List.of("plain", "json")).equals("json"),
        yesOrNo(settings, Setting.ACCESS_LOG));
  }

  public boolean isEmbedded() {
    return database.isEmpty();
  }

  /// The address of a given database, with the user and password if they are given apart.
  private static Optional<String> database(Settings settings) {
    return text(settings, Setting.DB)
        .map(
            url -> {
              if (!url.startsWith("jdbc:postgresql://")) {
                throw bad(Setting.DB, "must start with jdbc:postgresql://");
              }
              return withParameter(
                  withParameter(url, "user", settings.value(Setting.DB_USER)),
                  "password",
                  settings.value(Setting.DB_PASSWORD));
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

  private static Optional<IdentityProvider> identityProvider(Settings settings) {
    if (text(settings, Setting.IDENTITY_JWKS).isEmpty()) {
      OF_PROVIDER.forEach(setting -> refuseWithoutProvider(settings, setting));
      return Optional.empty();
    }
    URI jwks = url(settings, Setting.IDENTITY_JWKS);
    String issuer = settings.value(Setting.IDENTITY_ISSUER).strip();
    if (issuer.isEmpty()) {
      throw bad(Setting.IDENTITY_ISSUER, "must be given with identity-jwks");
    }
    return Optional.of(
        new IdentityProvider(
            issuer,
            jwks,
            text(settings, Setting.IDENTITY_AUDIENCE),
            settings.value(Setting.IDENTITY_SUBJECT_CLAIM),
            settings.value(Setting.IDENTITY_ROLES_CLAIM)));
  }

  /// Alone it would be ignored, and whoever gave it believes that people of that provider can come in.
  private static void refuseWithoutProvider(Settings settings, Setting setting) {
    if (!settings.value(setting).strip().equals(setting.defaultValue())) {
      throw bad(setting, "has no meaning without identity-jwks, the provider's keys");
    }
  }

  private static URI url(Settings settings, Setting setting) {
    String problem = "must be a URL, http:// or https://";
    URI url = parse(settings, setting, problem, URI::create);
    if (!List.of("http", "https").contains(url.getScheme()) || url.getHost() == null) {
      throw bad(setting, problem);
    }
    return url;
  }

  private static List<String> trustedProxies(Settings settings) {
    return parse(
        settings,
        Setting.TRUSTED_PROXIES,
        "must be a comma-separated list of addresses and ranges like 10.0.0.0/8",
        text ->
            text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .map(Configuration::range)
                    .toList());
  }

  /// Addresses only: a name would be looked up, now and at every start anew.
  private static String range(String text) {
    int slash = text.indexOf('/');
    if (!InetAddresses.isInetAddress(slash < 0 ? text : text.substring(0, slash))) {
      throw new IllegalArgumentException(text);
    }
    InetAddressPredicates.ofCidr(text);
    return text;
  }

  /// The development login lets anybody be anybody: never beside a database that somebody else relies on.
  private static boolean login(Settings settings, boolean givenDatabase) {
    String value = oneOf(settings, Setting.LOGIN, List.of("auto", "on", "off"));
    if (value.equals("on") && givenDatabase) {
      throw bad(Setting.LOGIN, "cannot be on with a given database: it lets anybody be anybody");
    }
    return !value.equals("off") && !givenDatabase;
  }

  private static Set<Role> roles(Settings settings) {
    return parse(
        settings,
        Setting.ROLES,
        "must be a comma-separated list of " + names(Role.values()),
        text ->
            Arrays.stream(text.split(",", -1))
                .map(name -> Role.valueOf(name.strip().toUpperCase(Locale.ROOT)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Role.class))));
  }

  private static int number(Settings settings, Setting setting, int from, int to) {
    String problem = "must be a number from " + from + " to " + to;
    int value = parse(settings, setting, problem, Integer::parseInt);
    if (value < from || value > to) {
      throw bad(setting, problem);
    }
    return value;
  }

  private static boolean yesOrNo(Settings settings, Setting setting) {
    return oneOf(settings, setting, List.of("true", "false")).equals("true");
  }

  private static String oneOf(Settings settings, Setting setting, List<String> choices) {
    String value = settings.value(setting).toLowerCase(Locale.ROOT);
    if (!choices.contains(value)) {
      throw bad(setting, "must be one of " + String.join(", ", choices));
    }
    return value;
  }

  private static Duration duration(Settings settings, Setting setting) {
    String problem = "must be a positive duration like PT12H or P180D";
    Duration value = parse(settings, setting, problem, Duration::parse);
    if (!value.isPositive()) {
      throw bad(setting, problem);
    }
    return value;
  }

  private static Optional<Path> file(Settings settings, Setting setting) {
    Optional<Path> file = text(settings, setting).map(Path::of);
    file.filter(path -> !Files.isReadable(path))
        .ifPresent(
            path -> {
              throw bad(setting, "must name a readable file: " + path);
            });
    return file;
  }

  private static Optional<String> text(Settings settings, Setting setting) {
    return Optional.of(settings.value(setting).strip()).filter(value -> !value.isEmpty());
  }

  private static <T> T parse(
      Settings settings, Setting setting, String problem, Function<String, T> parser) {
    try {
      return parser.apply(settings.value(setting).strip());
    } catch (IllegalArgumentException | DateTimeParseException e) {
      throw bad(setting, problem);
    }
  }

  private static BadSetting bad(Setting setting, String problem) {
    return new BadSetting(setting.key(), problem);
  }

  private static String names(Role[] roles) {
    return Arrays.stream(roles)
        .map(role -> role.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
