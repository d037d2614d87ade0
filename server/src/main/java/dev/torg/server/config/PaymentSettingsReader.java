package dev.torg.server.config;

import dev.torg.platform.webhook.WebhookSignature;
import dev.torg.promotions.PaymentProviderSettings;
import dev.torg.promotions.PaymentProviderSettings.SandboxCalls;
import dev.torg.server.DevelopmentLogin;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads who takes the money of payments. The sandbox lets every client pay without money, so it is the default only
/// where the development login is on, and elsewhere has to be chosen.
final class PaymentSettingsReader {
  private static final String AUTO = "auto";
  private static final String SANDBOX = "sandbox";
  private static final String STRIPE = "stripe";
  private static final String NONE = "none";

  private static final String WEBHOOK_PATH = "/v1/payments/webhook";

  private static final int MAX_REPEATS = 100;
  private static final Duration MAX_DELAY = Duration.ofDays(7);

  /// Addresses that a server listens on and that a client cannot connect to everywhere.
  private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::", "[::]");

  private PaymentSettingsReader() {}

  static PaymentProviderSettings of(SettingReader read, DevelopmentLogin login, String publicUrl) {
    PaymentProviderSettings.Sandbox sandbox = sandbox(read, publicUrl);
    URI stripeUrl = read.url(Setting.STRIPE_URL);
    return switch (provider(read, login)) {
      case SANDBOX -> sandbox;
      case STRIPE -> stripe(read, stripeUrl, publicUrl);
      default -> new PaymentProviderSettings.None();
    };
  }

  private static String provider(SettingReader read, DevelopmentLogin login) {
    String value = read.oneOf(Setting.PAYMENT_PROVIDER, List.of(AUTO, SANDBOX, STRIPE, NONE));
    if (!value.equals(AUTO)) {
      return value;
    }
    return login == DevelopmentLogin.OFF ? NONE : SANDBOX;
  }

  private static PaymentProviderSettings.Sandbox sandbox(SettingReader read, String publicUrl) {
    return new PaymentProviderSettings.Sandbox(
        publicUrl,
        webhookUrl(read),
        webhookSecret(read),
        new SandboxCalls(
            read.number(Setting.SANDBOX_WEBHOOK_REPEATS, 0, MAX_REPEATS),
            delay(read),
            read.yesOrNo(Setting.SANDBOX_WEBHOOK_SHUFFLE)));
  }

  private static URI webhookUrl(SettingReader read) {
    if (read.text(Setting.SANDBOX_WEBHOOK_URL).isPresent()) {
      return read.url(Setting.SANDBOX_WEBHOOK_URL);
    }
    return read.parse(
        Setting.HOST,
        "must be the name of a host or an address",
        host -> webhookUrl(host, read.value(Setting.PORT)));
  }

  private static URI webhookUrl(String host, String port) {
    String name = WILDCARDS.contains(host) ? "localhost" : host;
    String literal = name.contains(":") && !name.startsWith("[") ? "[" + name + "]" : name;
    return URI.create("http://" + literal + ":" + port + WEBHOOK_PATH);
  }

  private static Optional<String> webhookSecret(SettingReader read) {
    return read.text(Setting.SANDBOX_WEBHOOK_SECRET)
        .map(
            _ ->
                read.parse(
                    Setting.SANDBOX_WEBHOOK_SECRET,
                    "must be whsec_ and a key of 24 to 64 bytes in base64",
                    WebhookSignature::checkedSecret));
  }

  private static Duration delay(SettingReader read) {
    String problem = "must be a duration like PT0S or PT10S, at most " + MAX_DELAY;
    Duration delay = read.parse(Setting.SANDBOX_WEBHOOK_DELAY, problem, Duration::parse);
    if (delay.isNegative() || delay.compareTo(MAX_DELAY) > 0) {
      throw SettingReader.invalid(Setting.SANDBOX_WEBHOOK_DELAY, problem);
    }
    return delay;
  }

  private static PaymentProviderSettings.Stripe stripe(
      SettingReader read, URI apiUrl, String publicUrl) {
    return new PaymentProviderSettings.Stripe(
        apiUrl,
        required(read, Setting.STRIPE_KEY),
        required(read, Setting.STRIPE_WEBHOOK_SECRET),
        publicUrl);
  }

  private static String required(SettingReader read, Setting setting) {
    return read.text(setting)
        .orElseThrow(
            () -> SettingReader.invalid(setting, "must be given with payment-provider=stripe"));
  }
}
