package dev.torg.promotions.payment;

import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.PaymentHandler.Delivery;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentOutcome;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.StoredPayment;
import dev.torg.promotions.payment.WebhookStore.Processed;
import dev.torg.promotions.provider.WebhookEvent;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Applies what the provider states about payments, in batches. Any number of processes may do so concurrently, with the
/// same reports: the rows of the payments are locked, and their states decide whether a report has an effect. State, audit,
/// delivery, notifications and the processed webhooks commit together. Blocks.
final class PaymentProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(PaymentProcessor.class);

  private static final String DECLINED = "The payment was declined.";

  private final Database database;
  private final PaymentHandlers handlers;
  private final PaymentNotices notices;
  private final PaymentMetrics metrics;
  private final InstantSource clock;
  private final PaymentStore payments = new PaymentStore();
  private final WebhookStore webhooks = new WebhookStore();

  PaymentProcessor(
      Database database,
      PaymentHandlers handlers,
      PaymentNotices notices,
      PaymentMetrics metrics,
      InstantSource clock) {
    this.database = database;
    this.handlers = handlers;
    this.notices = notices;
    this.metrics = metrics;
    this.clock = clock;
  }

  /// Applies the reports in their order. What deliveries depend on is read before the transaction.
  void process(List<PaymentReport> reports) {
    Delivery delivery = handlers.prepare(toDeliver(reports));
    EachShard.run(
        database.shards().split(reports, report -> report.payment().home()),
        ofShard -> database.transact(tx -> apply(tx, ofShard, delivery)));
  }

  /// A payment can become deliverable only by one of these reports: it is PENDING or DECLINED now, or it never will be.
  private List<StoredPayment> toDeliver(List<PaymentReport> reports) {
    List<PaymentId> paid =
        reports.stream()
            .filter(report -> report.kind() == WebhookEvent.Kind.PAID)
            .map(PaymentReport::payment)
            .distinct()
            .toList();
    return EachShard.map(
            database.shards().split(paid, PaymentId::home),
            ofShard -> database.read(tx -> payments.find(tx, ofShard)))
        .stream()
        .flatMap(found -> found.values().stream())
        .map(PaymentRow::payment)
        .filter(payment -> payment.status().mayBecome(PaymentStatus.PAID))
        .toList();
  }

  private void apply(Tx tx, List<PaymentReport> reports, Delivery delivery) throws SQLException {
    Instant now = clock.instant();
    Map<PaymentId, PaymentInTransaction> locked =
        payments.lock(tx, reports.stream().map(PaymentReport::payment).toList(), now);
    Map<PaymentReport, ReportOutcome> outcomes = new LinkedHashMap<>();
    List<PaymentInTransaction> paid = new ArrayList<>();
    for (PaymentReport report : reports) {
      PaymentInTransaction payment = locked.get(report.payment());
      outcomes.put(report, apply(tx, payment, report, paid, now));
    }
    deliver(tx, paid, delivery, now);
    payments.write(tx, locked.values(), now);
    webhooks.mark(tx, processed(outcomes, now), now);
    notices.write(tx, locked.values(), now);
    tx.afterCommit(() -> count(outcomes, locked));
  }

  private ReportOutcome apply(
      Tx tx,
      @Nullable PaymentInTransaction payment,
      PaymentReport report,
      List<PaymentInTransaction> paid,
      Instant now)
      throws SQLException {
    if (payment == null) {
      return ReportOutcome.UNKNOWN;
    }
    return switch (report.kind()) {
      case PAID -> {
        ReportOutcome outcome = payment.paid(report.amount(), report.cause());
        if (outcome == ReportOutcome.CHANGED) {
          paid.add(payment);
        }
        yield outcome;
      }
      case DECLINED -> payment.declined(DECLINED, report.cause());
      case REFUNDED -> refunded(tx, payment, report, now);
      case OTHER -> ReportOutcome.NO_EFFECT;
    };
  }

  /// Also what the merchant returned at the provider itself: then everything that the payment has delivered is taken back.
  private ReportOutcome refunded(
      Tx tx, PaymentInTransaction payment, PaymentReport report, Instant now) throws SQLException {
    StoredPayment before = payment.payment();
    if (report.amount().isEmpty()
        || !report.amount().get().currency().equals(before.total().currency())) {
      return ReportOutcome.MISMATCH;
    }
    if (before.status() == PaymentStatus.PENDING || before.status() == PaymentStatus.DECLINED) {
      // Overtook the webhook that it was paid: that one would deliver it.
      return ReportOutcome.UNKNOWN;
    }
    long returned = report.amount().get().amount();
    if (returned <= before.refunded()) {
      return ReportOutcome.NO_EFFECT;
    }
    boolean isApplied = before.status() == PaymentStatus.APPLIED;
    long unexpected = payment.refunded(returned, report.cause());
    if (unexpected > 0 && isApplied && payment.status() == PaymentStatus.REFUNDED) {
      handlers.takeBack(tx, before, now);
    }
    return ReportOutcome.CHANGED;
  }

  private static void deliver(
      Tx tx, List<PaymentInTransaction> paid, Delivery delivery, Instant now) throws SQLException {
    if (paid.isEmpty()) {
      return;
    }
    Map<PaymentId, PaymentOutcome> outcomes =
        delivery.deliver(tx, paid.stream().map(PaymentInTransaction::payment).toList(), now);
    for (PaymentInTransaction payment : paid) {
      payment.delivered(outcomes.getOrDefault(payment.payment().id(), new PaymentOutcome.Kept()));
    }
  }

  private static List<Processed> processed(
      Map<PaymentReport, ReportOutcome> outcomes, Instant now) {
    List<Processed> processed = new ArrayList<>();
    outcomes.forEach(
        (report, outcome) ->
            report
                .webhook()
                .ifPresent(webhook -> processed.add(WebhookRetries.after(webhook, outcome, now))));
    return processed;
  }

  private void count(
      Map<PaymentReport, ReportOutcome> outcomes, Map<PaymentId, PaymentInTransaction> payments) {
    outcomes.forEach(
        (report, outcome) -> {
          metrics.processed(outcome);
          if (outcome == ReportOutcome.UNKNOWN || outcome == ReportOutcome.MISMATCH) {
            LOG.warn("{}: {} of {}", outcome, report.cause(), report.payment());
          }
        });
    payments.values().stream()
        .filter(PaymentInTransaction::isTransition)
        .forEach(payment -> metrics.changed(payment.status()));
  }
}
