package dev.torg.platform.coalesce;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
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
public final class Ledger implements WriteHandler<Ledger.Payment, Long> {
  public static final long BREAKS_THE_HANDLER = 666;
  static final long BREAKS_THE_STATEMENT = 667;

  private static final AtomicLong TOKENS = new AtomicLong();

  private static final String LOCK =
      """
      SELECT a.name, a.total FROM account a
        JOIN (SELECT DISTINCT home, name FROM unnest(?::int[], ?::text[]) AS k (home, name)) k
             USING (home, name)
       ORDER BY a.home, a.name FOR UPDATE OF a
      """;

  private static final String SAVE =
      """
      INSERT INTO account (home, name, total)
      SELECT * FROM unnest(?::int[], ?::text[], ?::bigint[])
      ON CONFLICT (home, name) DO UPDATE SET total = excluded.total
      """;

  private static final String ENTER =
      """
      INSERT INTO entry (home, name, position, token, amount)
      SELECT * FROM unnest(?::int[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[])
      """;

  private static final String FIND = "SELECT token, amount FROM entry WHERE token = ANY (?)";

  /// The sizes of the batches that were tried.
  public final ConcurrentLinkedQueue<Integer> batches = new ConcurrentLinkedQueue<>();

  public final AtomicInteger looks = new AtomicInteger();
  public volatile CountDownLatch gate = new CountDownLatch(0);

  private final AtomicLong positions = new AtomicLong();

  public record Payment(String account, long amount, long token) {
    public static Payment of(String account, long amount) {
      return new Payment(account, amount, TOKENS.incrementAndGet());
    }
  }

  @Override
  public Home home(Payment payment) {
    return Home.of(payment.account());
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
    tx.sql(LOCK)
        .homes(payments, this::home)
        .texts(payments, Payment::account)
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
    tx.sql(SAVE)
        .homes(totals, total -> Home.of(total.getKey()))
        .texts(totals, Map.Entry::getKey)
        .longs(totals, Map.Entry::getValue)
        .update();
  }

  private void enter(Tx tx, List<Payment> payments) throws SQLException {
    tx.sql(ENTER)
        .homes(payments, this::home)
        .texts(payments, p -> p.amount() == BREAKS_THE_STATEMENT ? null : p.account())
        .longs(payments, p -> positions.incrementAndGet())
        .longs(payments, Payment::token)
        .longs(payments, Payment::amount)
        .update();
  }

  @Override
  public List<Optional<Long>> recover(Tx tx, List<Payment> payments) throws SQLException {
    looks.incrementAndGet();
    Map<Long, Long> found = new HashMap<>();
    tx.sql(FIND)
        .longs(payments, Payment::token)
        .each(row -> found.put(row.longAt(1), row.longAt(2)));
    return payments.stream().map(p -> Optional.ofNullable(found.get(p.token()))).toList();
  }

  private void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
