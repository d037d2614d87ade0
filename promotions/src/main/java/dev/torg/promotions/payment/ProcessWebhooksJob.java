package dev.torg.promotions.payment;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import dev.torg.promotions.provider.PaymentProvider;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Processes webhooks that the process that received them has not, and those of unknown payments again. Blocks.
final class ProcessWebhooksJob {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessWebhooksJob.class);
  private static final int PAGE_SIZE = 256;
  private static final int PURGE_PAGE_SIZE = 5_000;

  /// Providers repeat webhooks for days; what was processed before then is recognized by its row.
  private static final Duration RETENTION = Duration.ofDays(30);

  private final Database database;
  private final PaymentProvider provider;
  private final PaymentProcessor processor;
  private final PaymentMetrics metrics;
  private final WebhookStore store = new WebhookStore();

  ProcessWebhooksJob(
      Database database,
      PaymentProvider provider,
      PaymentProcessor processor,
      PaymentMetrics metrics) {
    this.database = database;
    this.provider = provider;
    this.processor = processor;
    this.metrics = metrics;
  }

  List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesDue(tx, homes, now));
  }

  /// Returns whether more may be due.
  boolean run(Lease lease, Instant now) {
    return EachHome.run(due(lease.homes(), now), home -> run(lease, home, now));
  }

  private boolean run(Lease lease, Home home, Instant now) {
    List<ReceivedWebhook> page = database.read(tx -> store.due(tx, home, now, PAGE_SIZE));
    List<PaymentReport> reports = new ArrayList<>();
    List<ReceivedWebhook> unnamed = new ArrayList<>();
    for (ReceivedWebhook webhook : page) {
      Optional<PaymentReport> report = report(webhook);
      report.ifPresentOrElse(reports::add, () -> unnamed.add(webhook));
    }
    if (!unnamed.isEmpty()) {
      database.transact(tx -> defer(tx, lease, unnamed, now));
    }
    if (!reports.isEmpty()) {
      process(lease, reports, now);
    }
    return page.size() == PAGE_SIZE;
  }

  /// Empty if it names no payment, is another provider's, or cannot be read any more.
  private Optional<PaymentReport> report(ReceivedWebhook webhook) {
    if (!webhook.key().provider().equals(provider.name())) {
      return Optional.empty();
    }
    try {
      return webhook.report(provider.read(webhook.body()));
    } catch (RuntimeException e) {
      LOG.error("a stored webhook cannot be read: {}", webhook.key(), e);
      return Optional.empty();
    }
  }

  private void defer(Tx tx, Lease lease, List<ReceivedWebhook> unnamed, Instant now)
      throws SQLException {
    lease.check(tx);
    store.mark(
        tx,
        unnamed.stream()
            .map(webhook -> WebhookRetries.after(webhook, ReportOutcome.UNKNOWN, now))
            .toList(),
        now);
    unnamed.forEach(
        webhook -> {
          LOG.warn("a webhook of an unknown payment: {}", webhook.key());
          metrics.processed(ReportOutcome.UNKNOWN);
        });
  }

  private void process(Lease lease, List<PaymentReport> reports, Instant now) {
    try {
      processor.process(reports);
    } catch (RuntimeException e) {
      if (reports.size() == 1) {
        failed(lease, reports.getFirst(), now, e);
      } else {
        reports.forEach(report -> process(lease, List.of(report), now));
      }
    }
  }

  private void failed(Lease lease, PaymentReport report, Instant now, RuntimeException e) {
    LOG.error("{} of {} failed", report.cause(), report.payment(), e);
    metrics.processed(ReportOutcome.FAILED);
    database.transact(
        tx -> {
          lease.check(tx);
          store.mark(
              tx,
              report.webhook().stream()
                  .map(webhook -> WebhookRetries.failed(webhook, now))
                  .toList(),
              now);
        });
  }

  /// Removes webhooks that were processed long ago. Returns whether more may be due.
  boolean purge(Lease lease, Instant now) {
    return EachHome.run(
        lease.homes(),
        home ->
            database.inTransaction(
                    tx -> {
                      lease.check(tx);
                      return store.purge(tx, home, now.minus(RETENTION), PURGE_PAGE_SIZE);
                    })
                == PURGE_PAGE_SIZE);
  }
}
