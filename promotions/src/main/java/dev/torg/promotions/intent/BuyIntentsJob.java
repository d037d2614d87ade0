package dev.torg.promotions.intent;

import dev.torg.platform.Backoff;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeaseLost;
import dev.torg.promotions.intent.IntentRetryStore.Retry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Examines due intents, those that have been due for longest first, a page of a home at a time, and wakes those of sellers
/// whose balance has grown. Blocks.
public final class BuyIntentsJob {
  private static final Logger LOG = LoggerFactory.getLogger(BuyIntentsJob.class);
  private static final int PAGE_SIZE = 200;
  private static final int PURGE_PAGE_SIZE = 5_000;

  /// Longer than the topic of feeds retains an arrival that may be delivered again.
  private static final Duration REMOVED_RETENTION = Duration.ofDays(9);

  /// After an examination that failed by a defect.
  private static final Backoff DEFECT_RETRY =
      new Backoff(Duration.ofMinutes(1), Duration.ofHours(6));

  private final Database database;
  private final IntentReader reader;
  private final IntentBuyer buyer;
  private final IntentRetryStore retries;
  private final IntentStore store = new IntentStore();
  private final Counter bought;

  BuyIntentsJob(
      Database database,
      IntentReader reader,
      IntentBuyer buyer,
      IntentRetryStore retries,
      MeterRegistry metrics) {
    this.database = database;
    this.reader = reader;
    this.buyer = buyer;
    this.retries = retries;
    this.bought = metrics.counter("torg.promotions.intents.bought");
  }

  /// Homes with due intents, or with sellers whose balance has grown.
  public Set<Home> due(List<Home> homes, Instant now) {
    return database.read(
        tx -> {
          Set<Home> due = new LinkedHashSet<>(retries.homes(tx, homes));
          due.addAll(store.homesDue(tx, homes, now));
          return due;
        });
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(
        List.copyOf(due(lease.homes(), now)),
        home -> {
          boolean isAwake = wake(lease, home, now);
          return examine(lease, home, now) || !isAwake;
        });
  }

  /// Deletes removed intents that no late arrival can concern any more. Returns whether more may be due.
  public boolean purge(Lease lease, Instant now) {
    long before = EpochMicros.of(now.minus(REMOVED_RETENTION));
    return EachHome.run(
        lease.homes(),
        home ->
            database.inTransaction(
                    tx -> {
                      lease.check(tx);
                      return store.deleteRemoved(tx, home, before, PURGE_PAGE_SIZE);
                    })
                == PURGE_PAGE_SIZE);
  }

  /// Returns whether nothing is left to be woken.
  private boolean wake(Lease lease, Home home, Instant now) {
    List<Retry> page = database.read(tx -> retries.page(tx, home, PAGE_SIZE));
    page.forEach(retry -> wake(lease, retry, now));
    return page.size() < PAGE_SIZE;
  }

  /// Page by page. The row is deleted with the last one, so a crash in between wakes some intents again.
  private void wake(Lease lease, Retry retry, Instant now) {
    Optional<String> after = Optional.of("");
    while (after.isPresent()) {
      String from = after.get();
      after =
          database.inTransaction(
              tx -> {
                lease.check(tx);
                return wakePage(tx, retry, from, now);
              });
    }
  }

  /// Returns where the next page begins.
  private Optional<String> wakePage(Tx tx, Retry retry, String after, Instant now)
      throws SQLException {
    List<IntentKey> unpaid = store.unpaid(tx, retry.seller(), after, PAGE_SIZE);
    LockedIntents locked = LockedIntents.lock(tx, store, unpaid);
    for (IntentKey key : unpaid) {
      locked
          .find(key)
          .filter(intent -> intent.state() == IntentState.WAITING_FOR_BALANCE)
          .ifPresent(intent -> locked.put(intent.woken(now)));
    }
    locked.write(tx, Set.of());
    if (unpaid.size() == PAGE_SIZE) {
      return Optional.of(unpaid.getLast().externalId());
    }
    retries.delete(tx, retry);
    return Optional.empty();
  }

  /// Returns whether more may be due.
  private boolean examine(Lease lease, Home home, Instant now) {
    List<Intent> page = database.read(tx -> store.due(tx, home, now, PAGE_SIZE));
    if (page.isEmpty()) {
      return false;
    }
    try {
      buy(lease, page, now);
    } catch (RuntimeException e) {
      if (isTransient(e)) {
        throw e;
      }
      LOG.warn("a page of {} intents failed", page.size(), e);
      page.forEach(intent -> examineAlone(lease, intent, now));
    }
    return page.size() == PAGE_SIZE;
  }

  /// One intent whose examination fails must not block the others.
  private void examineAlone(Lease lease, Intent intent, Instant now) {
    try {
      buy(lease, List.of(intent), now);
    } catch (RuntimeException e) {
      if (isTransient(e)) {
        throw e;
      }
      LOG.error("the intent {} cannot be examined", intent.key(), e);
      defer(lease, intent, now);
    }
  }

  private void buy(Lease lease, List<Intent> page, Instant now) {
    List<ExaminedIntent> examined = reader.read(page);
    int count =
        database.inTransaction(
            tx -> {
              lease.check(tx);
              return buyer.decide(tx, examined, now);
            });
    bought.increment(count);
  }

  private void defer(Lease lease, Intent intent, Instant now) {
    database.transact(
        tx -> {
          lease.check(tx);
          LockedIntents locked = LockedIntents.lock(tx, store, List.of(intent.key()));
          locked
              .find(intent.key())
              .filter(stored -> stored.version() == intent.version())
              .ifPresent(stored -> locked.put(deferred(stored, now)));
          locked.write(tx, Set.of());
        });
  }

  private static Intent deferred(Intent intent, Instant now) {
    int attempts = intent.attempts() + 1;
    return intent.examined(
        intent.state(),
        attempts,
        intent.offer(),
        Optional.of(now.plus(DEFECT_RETRY.after(attempts))));
  }

  private static boolean isTransient(RuntimeException e) {
    return e instanceof LeaseLost
        || (e instanceof Failure failure && failure.kind() == Failure.Kind.UNAVAILABLE);
  }
}
