package dev.torg.offers.draft;

import static dev.torg.offers.wiring.OffersFixture.anonymous;
import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.offers.LockWaits;
import dev.torg.offers.draft.Takeover.Step;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Concurrent operations on drafts.
class DraftLocksIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final PhotoPartStore PHOTOS = new PhotoPartStore(new Outbox());

  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final int ROUNDS = 25;

  private final Database database = OFFERS.database();
  private final DraftService drafts = TakeoverSteps.service(OFFERS, PHOTOS, _ -> {});
  private Caller login = user("locks" + NEXT.incrementAndGet());
  private Caller visitor = anonymous("locks" + NEXT.get());

  @Test
  void delete_currentLockedByAnother_holdsNoDraftLock() throws SQLException {
    DraftKey key = draft(login);
    assertThatDraftIsFreeWhile(key, () -> drafts.delete(key));
    assertThat(draftsOf(login)).isEmpty();
  }

  @Test
  void publish_currentLockedByAnother_holdsNoDraftLock() throws SQLException {
    DraftKey key = draft(login);
    await(drafts.update(key, car("Audi", 100)));
    assertThatDraftIsFreeWhile(key, () -> OFFERS.offers().publish(login, key));
  }

  @Test
  void eraseIdle_currentLockedByAnother_holdsNoDraftLock() throws SQLException {
    DraftKey key = draft(visitor);
    OFFERS.clock.advance(Duration.ofDays(181));
    EraseIdleDraftsJob job = new EraseIdleDraftsJob(database, PHOTOS);
    Instant now = OFFERS.clock.instant();
    assertThatDraftIsFreeWhile(
        key,
        () ->
            CompletableFuture.completedFuture(
                database.inTransaction(tx -> job.run(tx, key.home(), now))));
    assertThat(draftsOf(visitor)).isEmpty();
  }

  @Test
  void takeOver_whileAnotherOpensFirstDraft_leavesOneDraft() throws SQLException {
    DraftKey key = draft(visitor);
    DraftRow anonymousDraft = await(drafts.get(key));
    CompletableFuture<DraftRow> pending =
        database.inTransactionWithoutRetry(
            tx -> {
              opening(Optional.of("jobs")).run(tx, Optional.empty());
              CompletableFuture<DraftRow> later =
                  async(() -> database.inTransaction(other -> takeOver(other, anonymousDraft)));
              LockWaits.awaitOne(database);
              return later;
            });
    assertThat(draftsOf(login)).containsExactly(await(pending).id().toString());
  }

  @Test
  void open_concurrentWithSameAnonymousDraft_leavesOneDraft() {
    for (int round = 0; round < ROUNDS; round++) {
      login = user("crowd" + NEXT.incrementAndGet());
      visitor = anonymous("crowd" + NEXT.get());
      if (round % 2 == 0) {
        draft(login);
      }
      String anonymousDraft = draft(visitor).id().toString();
      List<String> opened = openAtOnce(3);
      assertThat(draftsOf(login)).containsExactly(anonymousDraft);
      assertThat(draftsOf(visitor)).isEmpty();
      assertThat(opened).containsOnly(anonymousDraft);
      assertThat(takeovers()).isZero();
    }
  }

  @Test
  void takeover_completedByAnother_doesNotTouchNextAnonymousDraft() {
    DraftKey first = draft(visitor);
    AtomicBoolean overtaken = new AtomicBoolean();
    DraftService delayed =
        TakeoverSteps.service(
            OFFERS,
            PHOTOS,
            step -> {
              if (step == Step.BEGUN && overtaken.compareAndSet(false, true)) {
                await(drafts.open(login, Optional.empty(), Optional.of(visitor.subject())));
                draft(visitor);
              }
            });
    DraftRow opened = await(delayed.open(login, Optional.empty(), Optional.of(visitor.subject())));
    assertThat(opened.id()).isEqualTo(first.id());
    assertThat(draftsOf(visitor)).hasSize(1).doesNotContain(first.id().toString());
    DraftRow next = await(drafts.open(visitor, Optional.empty(), Optional.empty()));
    assertThat(next.takenOverBy()).isEmpty();
    assertThat(takeovers()).isZero();
  }

  private List<String> openAtOnce(int callers) {
    CountDownLatch start = new CountDownLatch(1);
    List<CompletableFuture<DraftRow>> opening = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      opening.add(
          async(
              () -> {
                begin(start);
                return drafts.open(login, Optional.empty(), Optional.of(visitor.subject())).join();
              }));
    }
    start.countDown();
    return opening.stream().map(open -> await(open).id().toString()).toList();
  }

  private static void begin(CountDownLatch start) {
    try {
      start.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Locks the owner's row as opening a draft does, lets the work block on it, and then locks the draft.
  private void assertThatDraftIsFreeWhile(DraftKey key, Supplier<CompletableFuture<?>> work)
      throws SQLException {
    CompletableFuture<?> running =
        database.inTransactionWithoutRetry(
            tx -> {
              selectOne(
                  tx, "SELECT 1 FROM current_draft WHERE home = ? AND owner = ? FOR UPDATE", key);
              CompletableFuture<?> started = async(() -> work.get().join());
              LockWaits.awaitOne(database);
              selectOne(
                  tx, "SELECT 1 FROM draft WHERE home = ? AND owner = ? FOR UPDATE NOWAIT", key);
              return started;
            });
    await(running);
  }

  private static void selectOne(Tx tx, String sql, DraftKey key) throws SQLException {
    assertThat(tx.sql(sql).set(key.home()).set(key.owner()).list(row -> row.longAt(1))).hasSize(1);
  }

  private DraftRow takeOver(Tx tx, DraftRow anonymousDraft) throws SQLException {
    return opening(Optional.empty()).run(tx, Optional.of(anonymousDraft));
  }

  private OpenDraft opening(Optional<String> category) {
    return new OpenDraft(
        new DraftStore(),
        PHOTOS,
        login.subject(),
        category,
        UUID.randomUUID(),
        OFFERS.clock.instant());
  }

  private static <T> CompletableFuture<T> async(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, task -> Thread.ofVirtual().start(task));
  }

  private DraftKey draft(Caller owner) {
    DraftRow opened = await(drafts.open(owner, Optional.of("cars"), Optional.empty()));
    return new DraftKey(owner.subject(), opened.id());
  }

  private List<String> draftsOf(Caller owner) {
    return database.read(
        tx ->
            tx.sql("SELECT id::text FROM draft WHERE owner = ?")
                .set(owner.subject())
                .list(row -> row.textAt(1)));
  }

  private long takeovers() {
    return database
        .read(
            tx ->
                tx.sql("SELECT count(*) FROM draft_takeover WHERE owner = ?")
                    .set(login.subject())
                    .list(row -> row.longAt(1)))
        .getFirst();
  }
}
