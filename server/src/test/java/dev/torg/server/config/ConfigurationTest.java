package dev.torg.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.favorites.FavoriteLimits;
import dev.torg.notifications.NotificationCenterSettings;
import dev.torg.offers.OfferSettings;
import dev.torg.photos.PhotoSettings;
import dev.torg.promotions.PaymentProviderSettings;
import dev.torg.server.DevelopmentLogin;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {
  @TempDir Path directory;

  @Test
  void of_noSettings_embedsEverythingOnLoopback() {
    Configuration configuration = configuration(Map.of(), Map.of(), "");
    assertThat(configuration.isEmbedded()).isTrue();
    assertThat(configuration.host()).isEqualTo("127.0.0.1");
    assertThat(configuration.login()).isEqualTo(DevelopmentLogin.LOCAL);
  }

  @Test
  void read_sameSettingEverywhere_commandLineBeatsEnvironmentBeatsFile() {
    assertThat(configuration(Map.of(Setting.PORT, "1"), Map.of("TORG_PORT", "2"), "port=3").port())
        .isEqualTo(1);
    assertThat(configuration(Map.of(), Map.of("TORG_PORT", "2"), "port=3").port()).isEqualTo(2);
    assertThat(configuration(Map.of(), Map.of(), "port=3").port()).isEqualTo(3);
  }

  @Test
  void read_spacesInTheFile_belongToThePasswordAndToNothingElse() {
    Configuration configuration =
        configuration(
            Map.of(),
            Map.of(),
            """
            port = 3\s
            login=off\s
            db=jdbc:postgresql://x/y\s
            kafka=x:1
            db-password=\\ a b\s
            """);
    assertThat(configuration.port()).isEqualTo(3);
    assertThat(configuration.login()).isEqualTo(DevelopmentLogin.OFF);
    assertThat(configuration.database()).contains("jdbc:postgresql://x/y?password=+a+b+");
  }

  @Test
  void read_unknownKeyInFile_namesIt() {
    assertThatThrownBy(() -> configuration(Map.of(), Map.of(), "prot=1"))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith("prot ");
  }

  @Test
  void read_unknownVariable_namesIt() {
    assertThatThrownBy(() -> configuration(Map.of(), Map.of("TORG_PROT", "1"), ""))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith("TORG_PROT ");
  }

  @ParameterizedTest
  @CsvSource({
    "PORT, seventy",
    "PORT, 70000",
    "DB, mysql://x",
    "ROLES, 'api,cook'",
    "LOGIN, perhaps",
    "TOKEN_LIFETIME, soon",
    "TOKEN_LIFETIME, PT-1H",
    "OFFER_LIFETIME, P0D",
    "OFFER_LIFETIME, P36501D",
    "ARCHIVE_AFTER, 45",
    "CLAIM_FOR, PT-1M",
    "NOTIFICATION_RETENTION, P29D",
    "ALLOW_WEAK_KAFKA, maybe",
    "LOG_LEVEL, loud",
    "CATEGORIES, /no/such/file",
    "DB_CONNECTIONS, 1",
    "TRUSTED_PROXIES, foo",
    "TRUSTED_PROXIES, localhost",
    "TRUSTED_PROXIES, 10.0.0.0/33",
    "TRUSTED_PROXIES, 10.0.0.0/",
    "TRUSTED_PROXIES, 10.0.0.0/x",
    "TRUSTED_PROXIES, 10.0.0.0/255.0.255.0",
    "TRUSTED_PROXIES, 'fd00::/129'",
    "TRUSTED_PROXIES, '10.0.0.0/8,'",
    "IDENTITY_JWKS, keys",
    "IDENTITY_JWKS, 'file:///keys'",
    "IDENTITY_ISSUER, 'https://id.example'",
    "IDENTITY_AUDIENCE, torg",
    "IDENTITY_SUBJECT_CLAIM, email",
    "IDENTITY_ROLES_CLAIM, realm_access.roles"
  })
  void of_badValue_namesTheKey(Setting setting, String value) {
    assertThatThrownBy(() -> configuration(Map.of(setting, value), Map.of(), ""))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith(setting.key() + " ");
  }

  @Test
  void of_trustedProxies_areAddressesAndRanges() {
    Map<Setting, String> options =
        Map.of(Setting.TRUSTED_PROXIES, "10.0.0.0/8, 192.0.2.1 ,fd00::/8,172.16.0.0/255.240.0.0");
    assertThat(configuration(options, Map.of(), "").trustedProxies())
        .containsExactly("10.0.0.0/8", "192.0.2.1", "fd00::/8", "172.16.0.0/255.240.0.0");
    assertThat(configuration(Map.of(), Map.of(), "").trustedProxies()).isEmpty();
  }

  @Test
  void of_identityProvider_isAcceptedWithItsIssuer() {
    Map<Setting, String> options =
        Map.of(
            Setting.IDENTITY_JWKS, "https://id.example/keys",
            Setting.IDENTITY_ISSUER, "https://id.example");
    assertThat(configuration(options, Map.of(), "").identityProvider()).isPresent();
    assertThatThrownBy(
            () ->
                configuration(
                    Map.of(Setting.IDENTITY_JWKS, "https://id.example/keys"), Map.of(), ""))
        .hasMessageStartingWith("identity-issuer ");
  }

  @Test
  void of_offerTimes_areTheOperatorsOrTheModulesDefaults() {
    OfferSettings standard = OfferSettings.defaults();
    Configuration silent = configuration(Map.of(), Map.of(), "");
    assertThat(silent.offerLifetime()).isEqualTo(standard.lifetime());
    assertThat(silent.archiveAfter()).isEqualTo(standard.archiveAfter());
    assertThat(silent.claimFor()).isEqualTo(standard.claimFor());
    Configuration set =
        configuration(
            Map.of(Setting.OFFER_LIFETIME, "P30D"),
            Map.of("TORG_ARCHIVE_AFTER", "P90D"),
            "claim-for=PT5M");
    assertThat(set.offerLifetime()).isEqualTo(Duration.ofDays(30));
    assertThat(set.archiveAfter()).isEqualTo(Duration.ofDays(90));
    assertThat(set.claimFor()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void of_notificationRetention_isTheOperatorsOrTheDefault() {
    assertThat(configuration(Map.of(), Map.of(), "").notificationRetention())
        .isEqualTo(NotificationCenterSettings.defaults().retention());
    Map<Setting, String> shortest = Map.of(Setting.NOTIFICATION_RETENTION, "P30D");
    assertThat(configuration(shortest, Map.of(), "").notificationRetention())
        .isEqualTo(Duration.ofDays(30));
  }

  @Test
  void of_photoStore_isADirectoryOrABucket() {
    Configuration silent = configuration(Map.of(), Map.of(), "");
    assertThat(silent.photos().store())
        .isEqualTo(new PhotoSettings.Store.Directory(silent.data().resolve("photos")));
    Configuration bucket =
        configuration(
            Map.of(Setting.PHOTO_STORE, "s3://shop/pictures/"),
            Map.of("TORG_PHOTO_S3_KEY", "k", "TORG_PHOTO_S3_SECRET", "s"),
            "photo-s3-endpoint=http://minio:9000\nphoto-hosts=a.intern, 10.0.0.1");
    assertThat(bucket.photos().store())
        .isEqualTo(
            new PhotoSettings.Store.Bucket(
                "shop",
                "pictures/",
                "us-east-1",
                Optional.of(URI.create("http://minio:9000")),
                Optional.of(new PhotoSettings.Keys("k", "s"))));
    assertThat(bucket.photos().trustedHosts()).containsExactlyInAnyOrder("a.intern", "10.0.0.1");
    assertThat(bucket.toString()).doesNotContain("secret=s");
  }

  @Test
  void of_photoBucketSettings_haveNoMeaningWithoutABucket() {
    assertThatThrownBy(() -> configuration(Map.of(Setting.PHOTO_S3_KEY, "k"), Map.of(), ""))
        .hasMessageStartingWith("photo-s3-key ");
    Map<Setting, String> half = Map.of(Setting.PHOTO_STORE, "s3://b", Setting.PHOTO_S3_KEY, "k");
    assertThatThrownBy(() -> configuration(half, Map.of(), ""))
        .hasMessageStartingWith("photo-s3-secret ");
    assertThatThrownBy(() -> configuration(Map.of(Setting.PHOTO_STORE, "s3://"), Map.of(), ""))
        .hasMessageStartingWith("photo-store ");
  }

  @Test
  void of_paymentProvider_isTheSandboxOnlyWhereTheDevelopmentLoginIs() {
    PaymentProviderSettings local = configuration(Map.of(), Map.of(), "").payments();
    assertThat(local)
        .isEqualTo(
            new PaymentProviderSettings.Sandbox(
                "http://localhost:8080",
                URI.create("http://127.0.0.1:8080/v1/payments/webhook"),
                Optional.empty(),
                PaymentProviderSettings.SandboxCalls.defaults()));
    Map<Setting, String> options = new EnumMap<>(Setting.class);
    options.put(Setting.HOST, "0.0.0.0");
    assertThat(configuration(options, Map.of(), "").payments())
        .isEqualTo(new PaymentProviderSettings.None());
    options.put(Setting.PAYMENT_PROVIDER, "sandbox");
    options.put(Setting.SANDBOX_WEBHOOK_DELAY, "PT3S");
    assertThat(configuration(options, Map.of(), "").payments())
        .isEqualTo(
            new PaymentProviderSettings.Sandbox(
                "http://localhost:8080",
                URI.create("http://localhost:8080/v1/payments/webhook"),
                Optional.empty(),
                new PaymentProviderSettings.SandboxCalls(0, Duration.ofSeconds(3), false)));
  }

  @Test
  void of_stripe_needsItsSecretsAndDoesNotShowThem() {
    Map<Setting, String> options = new EnumMap<>(Setting.class);
    options.put(Setting.PAYMENT_PROVIDER, "stripe");
    assertThatThrownBy(() -> configuration(options, Map.of(), ""))
        .hasMessageStartingWith("stripe-key ");
    options.put(Setting.STRIPE_KEY, "sk_test_abc");
    assertThatThrownBy(() -> configuration(options, Map.of(), ""))
        .hasMessageStartingWith("stripe-webhook-secret ");
    options.put(Setting.STRIPE_WEBHOOK_SECRET, "whsec_def");
    Configuration configuration = configuration(options, Map.of(), "");
    assertThat(configuration.payments())
        .isEqualTo(
            new PaymentProviderSettings.Stripe(
                URI.create("https://api.stripe.com"),
                "sk_test_abc",
                "whsec_def",
                "http://localhost:8080"));
    assertThat(configuration.toString()).doesNotContain("sk_test_abc", "whsec_def");
  }

  @ParameterizedTest
  @CsvSource({
    "SANDBOX_WEBHOOK_SECRET, secret",
    "SANDBOX_WEBHOOK_SECRET, whsec_c2hvcnQ=",
    "SANDBOX_WEBHOOK_DELAY, soon",
    "SANDBOX_WEBHOOK_DELAY, PT-1S",
    "SANDBOX_WEBHOOK_DELAY, P8D",
    "SANDBOX_WEBHOOK_URL, torg"
  })
  void of_badSandboxSetting_namesTheKey(Setting setting, String value) {
    assertThatThrownBy(() -> configuration(Map.of(setting, value), Map.of(), ""))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith(setting.key() + " ");
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, '', '', LOCAL",
    "127.0.0.2, '', '', LOCAL",
    "::1, '', '', LOCAL",
    "LocalHost, '', '', LOCAL",
    "0.0.0.0, '', '', OFF",
    "::, '', '', OFF",
    "192.0.2.1, '', '', OFF",
    "torg.example, '', '', OFF",
    "127.0.0.1, https://id.example/jwks, '', OFF",
    "127.0.0.1, '', 10.0.0.0/8, OFF",
    "127.0.0.1, '', 127.0.0.1, OFF",
  })
  void of_loginAuto_isOnOnlyForThisMachine(
      String host, String jwks, String proxies, DevelopmentLogin expected) {
    Map<Setting, String> options = new EnumMap<>(Setting.class);
    options.put(Setting.HOST, host);
    options.put(Setting.TRUSTED_PROXIES, proxies);
    if (!jwks.isEmpty()) {
      options.put(Setting.IDENTITY_JWKS, jwks);
      options.put(Setting.IDENTITY_ISSUER, "https://id.example");
    }
    assertThat(configuration(options, Map.of(), "").login()).isEqualTo(expected);
    options.put(Setting.LOGIN, "insecure");
    assertThat(configuration(options, Map.of(), "").login()).isEqualTo(DevelopmentLogin.INSECURE);
    options.put(Setting.LOGIN, "on");
    if (expected == DevelopmentLogin.OFF) {
      assertThatThrownBy(() -> configuration(options, Map.of(), ""))
          .hasMessageStartingWith("login ")
          .hasMessageContaining("insecure");
    } else {
      assertThat(configuration(options, Map.of(), "").login()).isEqualTo(DevelopmentLogin.LOCAL);
    }
  }

  @Test
  void of_favoriteLimits_areThoseOfTheFavoritesByDefault() {
    FavoriteLimitsConfig silent = configuration(Map.of(), Map.of(), "").favoriteLimits();
    assertThat(silent.users()).isEqualTo(FavoriteLimits.USERS);
    assertThat(silent.anonymous()).isEqualTo(FavoriteLimits.ANONYMOUS);
    String text =
        "favorites-max-offers=1\nfavorites-max-searches=2\nfavorites-max-sellers=3\nfavorites-max-notes=4\nfavorites-max-collections=5\n"
            + "favorites-max-blocks=6\nfavorites-max-collection-offers=7\nanonymous-favorites-max-searches=0";
    FavoriteLimitsConfig limits = configuration(Map.of(), Map.of(), text).favoriteLimits();
    assertThat(limits.users()).isEqualTo(new FavoriteLimits(1, 2, 3, 4, 5, 6, 7));
    assertThat(limits.anonymous())
        .isEqualTo(new FavoriteLimits(1_000, 0, 500, 500, 20, 500, 1_000));
  }

  @Test
  void of_favoriteLimitOutOfRange_isRefused() {
    assertThatThrownBy(
            () -> configuration(Map.of(Setting.FAVORITES_MAX_SEARCHES, "-1"), Map.of(), ""))
        .hasMessageStartingWith("favorites-max-searches ");
  }

  @Test
  void of_loginOnWithExternalDatabase_isRefused() {
    Map<Setting, String> options =
        Map.of(
            Setting.DB, "jdbc:postgresql://db/torg", Setting.KAFKA, "k:9092", Setting.LOGIN, "on");
    assertThatThrownBy(() -> configuration(options, Map.of(), "")).hasMessageStartingWith("login ");
  }

  @Test
  void of_kafkaProperties_areReadFromTheFile() throws IOException {
    Path file = directory.resolve("client.properties");
    Files.writeString(
        file, "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nssl.protocol=TLSv1.3\n");
    assertThat(configuration(externalKafka(file), Map.of(), "").kafkaSettings())
        .containsOnly(
            Map.entry("security.protocol", "SASL_SSL"),
            Map.entry("sasl.mechanism", "PLAIN"),
            Map.entry("ssl.protocol", "TLSv1.3"));
  }

  @Test
  void of_kafkaPropertiesBeyondSecurity_areRefusedByName() throws IOException {
    Path file = directory.resolve("client.properties");
    Files.writeString(file, "sasl.mechanism=PLAIN\nacks=0\n");
    assertThatThrownBy(() -> configuration(externalKafka(file), Map.of(), ""))
        .hasMessageStartingWith("kafka-properties ")
        .hasMessageContaining("acks");
  }

  @Test
  void of_kafkaPropertiesWithoutKafka_areRefused() throws IOException {
    Path file = Files.createFile(directory.resolve("client.properties"));
    Map<Setting, String> options = Map.of(Setting.KAFKA_PROPERTIES, file.toString());
    assertThatThrownBy(() -> configuration(options, Map.of(), ""))
        .hasMessageStartingWith("kafka-properties ");
  }

  private static Map<Setting, String> externalKafka(Path properties) {
    return Map.of(
        Setting.DB, "jdbc:postgresql://db/torg",
        Setting.KAFKA, "k:9092",
        Setting.KAFKA_PROPERTIES, properties.toString());
  }

  @Test
  void of_onlyOneExternalServer_requiresTheOther() {
    assertThatThrownBy(() -> configuration(Map.of(Setting.KAFKA, "k:9092"), Map.of(), ""))
        .hasMessageStartingWith("db ");
  }

  @Test
  void configurationPage_namesEverySetting() throws IOException {
    String page = Files.readString(Path.of("../docs/configuration.md"));
    for (Setting setting : Setting.values()) {
      assertThat(page).contains("| `" + setting.key() + "` |").contains(setting.description());
    }
  }

  private Configuration configuration(
      Map<Setting, String> options, Map<String, String> environment, String text) {
    try {
      Path file = Files.writeString(directory.resolve("torg.properties"), text);
      return Configuration.of(SettingValues.read(options, environment, Optional.of(file)));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
