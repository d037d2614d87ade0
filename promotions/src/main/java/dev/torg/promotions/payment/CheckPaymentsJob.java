package dev.torg.promotions.payment;

import dev.torg.platform.Backoff;
import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.StoredPayment;
import dev.torg.promotions.provider.PaymentProvider;
import dev.torg.promotions.provider.ProviderPayment;
import dev.torg.promotions.provider.RefundResult;
import dev.torg.promotions.provider.WebhookEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Acts on payments whose time has come: asks the provider about those that stay pending, so that a lost webhook loses
/// nothing, and returns the money that is due. Calls of the provider are made outside of transactions and may be repeated:
/// a refund has a key, which is stored with the amount before the first call. Blocks.
final class CheckPaymentsJob {
  private static final Logger LOG = LoggerFactory.getLogger(CheckPaymentsJob.class);

  /// Each needs a call of the provider.
  private static final int PAGE_SIZE = 50;

  /// How long the webhook of a payment is waited for before the provider is asked the first time.
  static final Duration FIRST_CHECK = Duration.ofMinutes(2);

  private static final Backoff PENDING_PAUSES =
      new Backoff(Duration.ofMinutes(2), Duration.ofHours(6));

  private static final Backoff REFUND_PAUSES =
      new Backoff(Duration.ofSeconds(10), Duration.ofHours(1));

  /// A payment that is still pending then is declined. Should it be paid even later, it becomes PAID by its webhook.
  static final Duration MAX_PENDING = Duration.ofDays(7);

  private static final String EXPIRED = "The payment was not made in time.";
  private static final String CAUSE = "provider asked";

  private final Database database;
  private final PaymentProvider provider;
  private final PaymentProcessor processor;
  private final PaymentNotices notices;
  private final PaymentMetrics metrics;
  private final InstantSource clock;
  private final PaymentStore store = new PaymentStore();

  CheckPaymentsJob(
      Database database,
      PaymentProvider provider,
      PaymentProcessor processor,
      PaymentNotices notices,
      PaymentMetrics metrics,
      InstantSource clock) {
    this.database = database;
    this.provider = provider;
    this.processor = processor;
    this.notices = notices;
    this.metrics = metrics;
    this.clock = clock;
  }

  List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesDue(tx, homes, now));
  }

  /// Returns whether more may be due.
  boolean run(Lease lease, Instant now) {
    return EachHome.run(due(lease.homes(), now), home -> run(lease, home, now));
  }

  private boolean run(Lease lease, Home home, Instant now) {
    List<PaymentRow> page = database.read(tx -> store.due(tx, home, now, PAGE_SIZE));
    for (PaymentRow row : page) {
      if (!lease.isValid()) {
        return false;
      }
      check(lease, row);
    }
    return page.size() == PAGE_SIZE;
  }

  /// One that fails is checked again later; the others are not affected.
  private void check(Lease lease, PaymentRow row) {
    StoredPayment payment = row.payment();
    try {
      if (!payment.provider().equals(provider.name())) {
        LOG.error("{} is a payment of {}, which is not set up", payment.id(), payment.provider());
        retry(lease, row);
      } else if (payment.refundDue() > 0) {
        refund(lease, row);
      } else if (payment.status() == PaymentStatus.PENDING) {
        ask(lease, row);
      } else {
        change(lease, payment.id(), PaymentInTransaction::unchecked);
      }
    } catch (RuntimeException e) {
      LOG.warn("{} could not be checked: {}", payment.id(), e.toString());
      retry(lease, row);
    }
  }

  private void ask(Lease lease, PaymentRow row) {
    StoredPayment payment = row.payment();
    ProviderPayment known = provider.status(payment.id(), payment.providerReference().orElse(""));
    switch (known.state()) {
      case PAID -> report(row, WebhookEvent.Kind.PAID, known.amount());
      case DECLINED -> report(row, WebhookEvent.Kind.DECLINED, Optional.empty());
      case PENDING, UNKNOWN -> {
        if (payment.createdAt().plus(MAX_PENDING).isBefore(clock.instant())) {
          change(lease, payment.id(), pending -> pending.declined(EXPIRED, CAUSE));
        } else {
          retry(lease, row);
        }
      }
    }
  }

  /// A report that has no effect, such as of another amount, leaves the payment due: it is asked about again.
  private void report(PaymentRow row, WebhookEvent.Kind kind, Optional<Money> amount) {
    processor.process(
        List.of(new PaymentReport(row.payment().id(), kind, amount, CAUSE, Optional.empty())));
    database.transact(
        tx -> {
          var locked = store.lock(tx, List.of(row.payment().id()), clock.instant());
          locked.values().stream()
              .filter(payment -> payment.status() == PaymentStatus.PENDING)
              .forEach(payment -> payment.retry(next(row)));
          store.write(tx, locked.values(), clock.instant());
        });
  }

  /// The key names how much was returned before, so a repeated call is recognized and a further refund is another one.
  private void refund(Lease lease, PaymentRow row) {
    StoredPayment payment = row.payment();
    RefundResult result =
        provider.refund(
            payment.id(),
            payment.providerReference().orElse(""),
            new Money(payment.refundDue(), payment.total().currency()),
            payment.id() + "-" + payment.refunded());
    metrics.refund(result.outcome());
    switch (result.outcome()) {
      case REFUNDED ->
          change(
              lease,
              payment.id(),
              due -> {
                var _ =
                    due.refunded(
                        payment.refunded() + payment.refundDue(), "refund " + result.reference());
              });
      case PENDING -> retry(lease, row);
      case REFUSED -> {
        LOG.error("the provider refuses to refund {}: {}", payment.id(), result.reason());
        retry(lease, row);
      }
    }
  }

  private void retry(Lease lease, PaymentRow row) {
    change(lease, row.payment().id(), payment -> payment.retry(next(row)));
  }

  private Instant next(PaymentRow row) {
    Backoff pauses = row.payment().refundDue() > 0 ? REFUND_PAUSES : PENDING_PAUSES;
    return clock.instant().plus(pauses.after(row.attempts() + 1));
  }

  /// The payment may have changed since it was read: a change that is not possible any more is skipped.
  private void change(Lease lease, PaymentId id, Consumer<PaymentInTransaction> change) {
    database.transact(
        tx -> {
          lease.check(tx);
          Instant now = clock.instant();
          var locked = store.lock(tx, List.of(id), now);
          locked.values().forEach(change);
          store.write(tx, locked.values(), now);
          notices.write(tx, locked.values(), now);
          tx.afterCommit(
              () ->
                  locked.values().stream()
                      .filter(PaymentInTransaction::isTransition)
                      .forEach(payment -> metrics.changed(payment.status())));
        });
  }
}
