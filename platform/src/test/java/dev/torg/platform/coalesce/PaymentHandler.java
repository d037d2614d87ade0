package dev.torg.platform.coalesce;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// A small domain for the coalescer's tests: payments into accounts. Amounts below zero are refused,
/// and two amounts are poison that breaks the whole batch.
public final class PaymentHandler implements WriteHandler<PaymentHandler.Payment, Long> {
  public static final long BREAKS_THE_HANDLER = 666;
  static final long BREAKS_THE_STATEMENT = 667;

  private static final AtomicLong TOKENS = new AtomicLong();

  private static final BatchColumns<String> ACCOUNTS =
      BatchColumns.<String>of(PaymentHandler::homeOf).texts("name", name -> name);

  private static final BatchSql<String> LOCK =
      ACCOUNTS.sql(
          """
          SELECT a.name, a.total FROM :batch(k) JOIN account a USING (home, name)
           WHERE :shard(a) ORDER BY a.home, a.name FOR UPDATE OF a
          """);

  private static final BatchSql<Map.Entry<String, Long>> SAVE =
      BatchColumns.<Map.Entry<String, Long>>of(total -> homeOf(total.getKey()))
          .texts("name", Map.Entry::getKey)
          .longs("total", Map.Entry::getValue)
          .sql(
              """
              INSERT INTO account (home, name, total) SELECT k.home, k.name, k.total FROM :rows(k)
              ON CONFLICT (home, name) DO UPDATE SET total = excluded.total
              """);

  private static final BatchSql<Entry> ENTER =
      BatchColumns.<Entry>of(entry -> homeOf(entry.payment().account()))
          .texts("name", Entry::name)
          .longs("position", Entry::position)
          .longs("token", entry -> entry.payment().token())
          .longs("amount", entry -> entry.payment().amount())
          .sql(
              """
              INSERT INTO entry (home, name, position, token, amount)
              SELECT k.home, k.name, k.position, k.token, k.amount FROM :rows(k)
              """);

  private static final BatchSql<Payment> FIND =
      BatchColumns.<Payment>of(payment -> homeOf(payment.account()))
          .longs("token", Payment::token)
          .sql(
              """
              SELECT e.token, e.amount FROM :batch(k) JOIN entry e USING (home, token)
               WHERE :shard(e)
              """);

  /// The sizes of the batches that were tried.
  public final ConcurrentLinkedQueue<Integer> batches = new ConcurrentLinkedQueue<>();

  public final AtomicInteger searches = new AtomicInteger();
  public volatile CountDownLatch gate = new CountDownLatch(0);

  private final AtomicLong positions = new AtomicLong();

  public record Payment(String account, long amount, long token) {
    public static Payment of(String account, long amount) {
      return new Payment(account, amount, TOKENS.incrementAndGet());
    }
  }

  @Override
  public Home home(Payment payment) {
    return homeOf(payment.account());
  }

  /// Accounts share a home, so that their payments share a batch on every database; those named `spread…` do not.
  static Home homeOf(String account) {
    return account.startsWith("spread") ? Home.of(account) : Home.of("ledger");
  }

  @Override
  public Object lockKey(Payment payment) {
    return payment.account();
  }

  @Override
  public List<Outcome<Long>> apply(Tx tx, List<Payment> payments) throws SQLException {
    batches.add(payments.size());
    awaitGate();
    Map<String, Long> totals = new HashMap<>();
    tx.sql(LOCK, payments.stream().map(Payment::account).distinct().toList())
        .each(row -> totals.put(row.textAt(1), row.longAt(2)));
    List<Outcome<Long>> outcomes = new ArrayList<>();
    List<Payment> accepted = new ArrayList<>();
    for (Payment payment : payments) {
      outcomes.add(decide(payment, totals, accepted));
    }
    save(tx, List.copyOf(totals.entrySet()));
    enter(tx, accepted);
    return outcomes;
  }

  private Outcome<Long> decide(Payment payment, Map<String, Long> totals, List<Payment> accepted) {
    if (payment.amount() < 0) {
      return Outcome.failed(Failure.invalid("amount", "bad amount", "amount", "must be positive"));
    }
    if (payment.amount() == BREAKS_THE_HANDLER) {
      throw new IllegalStateException("on purpose");
    }
    totals.merge(payment.account(), payment.amount(), Long::sum);
    accepted.add(payment);
    return Outcome.done(payment.amount());
  }

  private void save(Tx tx, List<Map.Entry<String, Long>> totals) throws SQLException {
    tx.sql(SAVE, totals).update();
  }

  private void enter(Tx tx, List<Payment> payments) throws SQLException {
    tx.sql(
            ENTER,
            payments.stream()
                .map(payment -> new Entry(payment, positions.incrementAndGet()))
                .toList())
        .update();
  }

  private record Entry(Payment payment, long position) {
    String name() {
      return payment.amount() == BREAKS_THE_STATEMENT ? null : payment.account();
    }
  }

  @Override
  public List<Optional<Long>> recover(Tx tx, List<Payment> payments) throws SQLException {
    searches.incrementAndGet();
    Map<Long, Long> totals = new HashMap<>();
    tx.sql(FIND, payments).each(row -> totals.put(row.longAt(1), row.longAt(2)));
    return payments.stream().map(p -> Optional.ofNullable(totals.get(p.token()))).toList();
  }

  private void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
