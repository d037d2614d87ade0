package dev.torg.promotions.provider.sandbox;

import dev.torg.platform.identity.MessageAuthenticator;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.module.ModuleContext;
import dev.torg.platform.webhook.WebhookSignature;
import dev.torg.promotions.PaymentProviderSettings.Sandbox;
import dev.torg.promotions.SandboxCheckouts;
import dev.torg.promotions.provider.PaymentProvider;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/// Builds the sandbox.
public final class SandboxWiring implements AutoCloseable {
  private static final String PURPOSE = "sandbox webhook secret";
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PURGE_INTERVAL = Duration.ofDays(1);
  private static final Duration CALL_INTERVAL = Duration.ofSeconds(1);

  /// Groups of homes in a process. A call that waits for its timeout must not hold the places of all other jobs.
  private static final int CONCURRENT_CALLS = 4;

  private final SandboxPayments payments;
  private final SandboxProvider provider;
  private final WebhookCaller caller;
  private final SendSandboxWebhooksJob webhooks;
  private final PurgeSandboxPaymentsJob purge;

  public SandboxWiring(
      ModuleContext context, Sandbox settings, MessageAuthenticator authenticator) {
    Supplier<List<WebhookSignature>> signatures = signatures(settings, authenticator);
    this.payments =
        new SandboxPayments(
            context.database(),
            new WebhookSchedule(settings.calls()),
            context.clock(),
            new SecureRandom());
    this.provider = new SandboxProvider(payments, settings.publicUrl(), signatures);
    this.caller =
        new WebhookCaller(settings.webhookUrl(), signatures, CALL_TIMEOUT, context.clock());
    this.webhooks = new SendSandboxWebhooksJob(context.database(), caller);
    this.purge = new PurgeSandboxPaymentsJob(context.database());
  }

  private static Supplier<List<WebhookSignature>> signatures(
      Sandbox settings, MessageAuthenticator authenticator) {
    if (settings.webhookSecret().isPresent()) {
      List<WebhookSignature> configured =
          List.of(new WebhookSignature(settings.webhookSecret().get()));
      return () -> configured;
    }
    return () ->
        authenticator.secrets(PURPOSE).stream()
            .map(secret -> new WebhookSignature(WebhookSignature.secret(secret)))
            .toList();
  }

  public PaymentProvider provider() {
    return provider;
  }

  /// For the page.
  public SandboxCheckouts checkouts() {
    return payments;
  }

  public void schedule(JobScheduler jobs) {
    jobs.everyBulk(
        CALL_INTERVAL,
        "promotions.sandbox-webhooks",
        webhooks::due,
        webhooks::run,
        CONCURRENT_CALLS);
    jobs.every(PURGE_INTERVAL, "promotions.sandbox-payments.purge", purge::run);
  }

  @Override
  public void close() {
    caller.close();
  }
}
