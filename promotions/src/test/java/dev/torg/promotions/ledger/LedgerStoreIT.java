package dev.torg.promotions.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.platform.db.Database;
import dev.torg.promotions.ledger.PostingOutcome.Posted;
import dev.torg.promotions.ledger.PostingOutcome.Refused;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LedgerStoreIT {
  @RegisterExtension static final TestDatabase TABLES = LedgerTables.fresh();

  private final Database database = Database.connect(TABLES.url(), 12);
  private final TestClock clock = new TestClock();
  private final Set<String> credited = ConcurrentHashMap.newKeySet();
  private final LedgerStore store = new LedgerStore((_, sellers) -> credited.addAll(sellers));
  private final LedgerReader reader = new LedgerReader(database);
  private final LedgerAudit audit = new LedgerAudit(database);
  private final String seller = LedgerTables.newSeller();

  @AfterEach
  void close() {
    database.close();
  }

  private PostingOutcome post(LedgerEntry... entries) {
    return database.inTransaction(tx -> store.post(tx, Posting.of(entries), clock.instant()));
  }

  private static Money euros(long cents) {
    return new Money(cents, "EUR");
  }

  private LedgerEntry topUp(long cents, String reference) {
    return LedgerEntry.topUp(seller, euros(cents), reference, "top-up");
  }

  private LedgerEntry charge(long cents, String reference) {
    return LedgerEntry.charge(seller, euros(cents), reference, "premium");
  }

  @Test
  void ledger_listsEntriesOfAllCurrencies_newestFirst_pageByPage() {
    for (int i = 0; i < 7; i++) {
      post(topUp(10, "e" + i));
      post(LedgerEntry.topUp(seller, new Money(20, "USD"), "d" + i, "top-up"));
    }
    List<String> references = new ArrayList<>();
    String token = "";
    do {
      LedgerPage page = reader.page(seller, 4, token);
      page.entries().forEach(stored -> references.add(stored.entry().reference()));
      token = page.nextPageToken();
    } while (!token.isEmpty());
    assertThat(references)
        .containsExactlyElementsOf(
            IntStream.range(0, 7)
                .boxed()
                .flatMap(i -> List.of("d" + (6 - i), "e" + (6 - i)).stream())
                .toList());
    assertThat(reader.balances(seller)).containsExactly(euros(70), new Money(140, "USD"));
  }

  @Test
  void pageToken_thatIsNone_isRefused() {
    assertThatThrownBy(() -> reader.page(seller, 4, "nonsense")).isInstanceOf(Failure.class);
    assertThatThrownBy(() -> reader.page(seller, 501, "")).isInstanceOf(Failure.class);
  }

  @Test
  void refusedCharge_leavesNoBalanceToList() {
    assertThat(post(charge(1, "c1"))).isInstanceOf(Refused.class);
    assertThat(reader.balances(seller)).isEmpty();
    assertThat(credited).isEmpty();
  }

  @Test
  void listener_isCalledWhenTheBalanceGrows_notForRepetitions() {
    post(topUp(100, "p1"));
    assertThat(credited).containsExactly(seller);
    credited.clear();
    post(topUp(100, "p1"));
    post(charge(10, "c1"));
    assertThat(credited).isEmpty();
    post(LedgerEntry.refundOfCharge(seller, euros(10), "c1", "r1", "ended"));
    assertThat(credited).containsExactly(seller);
  }

  @Test
  void rollback_leavesNothing() {
    assertThatThrownBy(
            () ->
                database.transact(
                    tx -> {
                      store.post(tx, List.of(Posting.of(topUp(5, "p1"))), clock.instant());
                      throw Failure.conflict("test", "changed its mind");
                    }))
        .isInstanceOf(Failure.class);
    assertThat(reader.page(seller, 0, "").entries()).isEmpty();
    assertThat(reader.balances(seller)).isEmpty();
  }

  /// Random histories of several sellers in batches, against [NaiveLedger].
  @Test
  void randomHistories_areDecidedAsByTheNaiveLedger_andBalance() {
    for (long seed = 0; seed < 12; seed++) {
      String one = LedgerTables.newSeller();
      NaiveLedger naive = new NaiveLedger();
      List<Posting> postings = new LedgerHistory(seed, one).postings(60);
      for (int from = 0; from < postings.size(); from += 5) {
        List<Posting> batch = postings.subList(from, from + 5);
        List<PostingOutcome> outcomes =
            database.inTransaction(tx -> store.post(tx, batch, clock.instant()));
        for (int i = 0; i < batch.size(); i++) {
          assertThat(AccountLedgerTest.name(outcomes.get(i)))
              .as("seed %d, posting %d", seed, from + i)
              .isEqualTo(naive.post(batch.get(i)));
        }
      }
      LedgerPage page = reader.page(one, 500, "");
      assertThat(page.entries().stream().map(StoredEntry::entry))
          .containsExactlyInAnyOrderElementsOf(naive.entries());
      for (Money balance : reader.balances(one)) {
        assertThat(balance.amount())
            .isEqualTo(naive.balance(new LedgerAccount(one, balance.currency())));
      }
      assertThat(audit.findings(Home.of(one))).isEmpty();
    }
  }

  @Test
  void concurrentCharges_spendTheBalanceOnceAndNeverMore() throws Exception {
    post(topUp(1_000, "p1"));
    List<PostingOutcome> outcomes =
        concurrently(
            IntStream.range(0, 200)
                .<Callable<PostingOutcome>>mapToObj(i -> () -> post(charge(10, "c" + i)))
                .toList());
    assertThat(outcomes).filteredOn(Posted.class::isInstance).hasSize(100);
    assertThat(reader.balances(seller)).containsExactly(euros(0));
    assertThat(audit.findings(Home.of(seller))).isEmpty();
  }

  /// As a top-up whose webhook is delivered many times at once, to several processes.
  @Test
  void oneReference_postedConcurrently_isWrittenOnce() throws Exception {
    List<Callable<PostingOutcome>> calls = new ArrayList<>();
    for (int reference = 0; reference < 20; reference++) {
      String name = "p" + reference;
      calls.addAll(Collections.nCopies(8, () -> post(topUp(7, name))));
    }
    Collections.shuffle(calls, new java.util.Random(1));
    List<PostingOutcome> outcomes = concurrently(calls);
    assertThat(outcomes).filteredOn(Posted.class::isInstance).hasSize(20);
    assertThat(reader.balances(seller)).containsExactly(euros(140));
    assertThat(audit.findings(Home.of(seller))).isEmpty();
  }

  @Test
  void concurrentBatches_ofTheSameSellersInAnyOrder_doNotDeadlockForGood() throws Exception {
    Home home = Home.of(seller);
    List<String> sellers = new ArrayList<>();
    while (sellers.size() < 10) {
      String other = LedgerTables.newSeller();
      if (Home.of(other).equals(home)) {
        sellers.add(other);
      }
    }
    List<Callable<List<PostingOutcome>>> calls = new ArrayList<>();
    for (int call = 0; call < 40; call++) {
      List<Posting> postings = new ArrayList<>();
      for (String one : sellers) {
        postings.add(Posting.of(LedgerEntry.topUp(one, euros(1), "p" + call, "top-up")));
      }
      Collections.shuffle(postings, new java.util.Random(call));
      calls.add(() -> database.inTransaction(tx -> store.post(tx, postings, clock.instant())));
    }
    concurrently(calls);
    for (String one : sellers) {
      assertThat(reader.balances(one)).containsExactly(euros(40));
    }
    assertThat(audit.findings(home)).isEmpty();
  }

  @Test
  void audit_findsAWrongBalanceAndAMissingLeg() {
    post(topUp(100, "p1"));
    post(charge(10, "c1"));
    database.transact(
        tx -> {
          tx.sql("UPDATE ledger_account SET balance = 91 WHERE home = ? AND seller = ?")
              .set(Home.of(seller))
              .set(seller)
              .update();
          tx.sql("DELETE FROM ledger_entry WHERE home = ? AND seller = ? AND leg = 2")
              .set(Home.of(seller))
              .set(seller)
              .update();
        });
    assertThat(audit.findings(Home.of(seller)))
        .hasSize(2)
        .anyMatch(finding -> finding.contains("91, but its entries sum to 90"))
        .anyMatch(finding -> finding.contains("does not balance"));
  }

  private static <T> List<T> concurrently(List<Callable<T>> calls) throws Exception {
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<T> future : threads.invokeAll(calls, 60, TimeUnit.SECONDS)) {
        results.add(future.get());
      }
    }
    return results;
  }
}
