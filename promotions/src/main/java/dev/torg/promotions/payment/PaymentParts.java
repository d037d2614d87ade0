package dev.torg.promotions.payment;

import dev.torg.platform.db.Database;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.module.ModuleContext;
import dev.torg.promotions.PaymentHandler;
import dev.torg.promotions.provider.PaymentProvider;
import java.time.Duration;
import java.util.List;

/// Connects the parts of this package.
public final class PaymentParts implements AutoCloseable {
  /// Groups of homes in a process whose payments are checked at the same time. A provider that does not answer holds them
  /// until its timeouts, and must not hold the places of all other jobs.
  private static final int CONCURRENT_CHECKS = 4;

  private final PaymentService payments;
  private final WebhookService webhooks;
  private final ProcessWebhooksJob processWebhooks;
  private final CheckPaymentsJob checkPayments;

  /// @param handlers of all purposes
  /// @param publicUrl `https://example.org`, or empty
  public PaymentParts(
      ModuleContext context,
      PaymentProvider provider,
      List<PaymentHandler> handlers,
      PaymentNotices notices,
      String publicUrl) {
    Database database = context.database();
    PaymentHandlers all = new PaymentHandlers(handlers);
    PaymentMetrics metrics = new PaymentMetrics(context.metrics());
    PaymentProcessor processor =
        new PaymentProcessor(database, all, notices, metrics, context.clock());
    this.payments =
        new PaymentService(database, provider, all, notices, context.clock(), publicUrl);
    this.webhooks =
        new WebhookService(
            database, provider, processor, metrics, context.clock(), context.metrics());
    this.processWebhooks = new ProcessWebhooksJob(database, provider, processor, metrics);
    this.checkPayments =
        new CheckPaymentsJob(database, provider, processor, notices, metrics, context.clock());
  }

  public PaymentService payments() {
    return payments;
  }

  public WebhookService webhooks() {
    return webhooks;
  }

  public void schedule(JobScheduler jobs) {
    jobs.every(
        Duration.ofSeconds(2), "payments.webhooks", processWebhooks::due, processWebhooks::run);
    jobs.everyBulk(
        Duration.ofSeconds(2),
        "payments.check",
        checkPayments::due,
        checkPayments::run,
        CONCURRENT_CHECKS);
    jobs.every(Duration.ofHours(1), "payments.webhooks.purge", processWebhooks::purge);
  }

  @Override
  public void close() {
    webhooks.close();
  }
}
