package dev.torg.platform.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.idempotency.IdempotencyStore.ResponseToStore;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestPostgres;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(30)
class IdempotencyStoreIT {
  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("platform", Migrations.of("platform")::migrate);

  private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

  private final IdempotencyStore store = new IdempotencyStore();
  private Database database;

  @BeforeEach
  void open() {
    database = Database.connect(DATABASE.url(), 4);
    database.inTransaction(tx -> tx.sql("TRUNCATE idempotency").update());
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void claim_newKey_isAcquired() {
    assertThat(claim(request("key", "body"))).containsExactly(new Claim.Acquired());
  }

  @Test
  void claim_sameKeyAndBody_returnsTheSameResponse() {
    claimAndStore(request("key", "body"), "answer");
    assertResult(claim(request("key", "body")).getFirst(), "answer");
  }

  @Test
  void claim_sameKeyOtherBody_isConflict() {
    claimAndStore(request("key", "body"), "answer");
    assertThat(claim(request("key", "other"))).containsExactly(new Claim.Conflict());
    assertThat(new Claim.Conflict().failure().kind()).isEqualTo(Failure.Kind.CONFLICT);
  }

  @Test
  void claim_sameKeyOfAnotherCallerOrMethod_isAcquired() {
    claimAndStore(request("key", "body"), "answer");
    Home home = Home.of("user:1");
    byte[] body = bytes("body");
    assertThat(
            claim(
                IdempotentRequest.of(home, "user:2", "Publish", "key", body, NOW),
                IdempotentRequest.of(home, "user:1", "Prolong", "key", body, NOW)))
        .containsExactly(new Claim.Acquired(), new Claim.Acquired());
  }

  @Test
  void claim_batchOfAllKinds_returnsOneForEachInOrder() {
    claimAndStore(request("old", "body"), "answer");
    List<Claim> claims =
        claim(
            request("new", "a"),
            request("old", "body"),
            request("new", "a"),
            request("new", "b"),
            request("old", "other"),
            request("newer", "a"));
    assertResult(claims.get(1), "answer");
    assertThat(claims)
        .satisfies(all -> assertThat(all.get(0)).isEqualTo(new Claim.Acquired()))
        .satisfies(all -> assertThat(all.get(2)).isEqualTo(new Claim.DuplicateInBatch(0)))
        .satisfies(all -> assertThat(all.get(3)).isEqualTo(new Claim.Conflict()))
        .satisfies(all -> assertThat(all.get(4)).isEqualTo(new Claim.Conflict()))
        .satisfies(all -> assertThat(all.get(5)).isEqualTo(new Claim.Acquired()));
  }

  @Test
  void claim_concurrentTransactionHoldsTheKey_waitsAndGetsItsResult() throws InterruptedException {
    CountDownLatch claimed = new CountDownLatch(1);
    CompletableFuture<List<Claim>> concurrent = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  await(claimed);
                  concurrent.complete(claim(request("key", "body")));
                });
    database.transact(
        tx -> {
          IdempotentRequest request = request("key", "body");
          assertThat(store.claim(tx, List.of(request))).containsExactly(new Claim.Acquired());
          claimed.countDown();
          awaitBlocked();
          store.store(tx, List.of(new ResponseToStore(request, bytes("ours"))));
        });
    waiting.join();
    assertResult(concurrent.join().getFirst(), "ours");
  }

  @Test
  void claim_afterRollback_isAcquired() {
    assertThatThrownBy(
        () ->
            database.inTransaction(
                tx -> {
                  store.claim(tx, List.of(request("key", "body")));
                  throw Failure.conflict("a", "b");
                }));
    assertThat(claim(request("key", "body"))).containsExactly(new Claim.Acquired());
  }

  @Test
  void release_refusedRequest_mayBeCorrectedAndResent() {
    database.transact(
        tx -> {
          store.claim(tx, List.of(request("key", "wrong")));
          store.release(tx, List.of(request("key", "wrong")));
        });
    assertThat(claim(request("key", "right"))).containsExactly(new Claim.Acquired());
  }

  @Test
  void responses_doneAndNotDone_distinguishesThem() {
    claimAndStore(request("done", "body"), "answer");
    List<Optional<byte[]>> responses =
        database.read(
            tx ->
                store.responses(
                    tx,
                    List.of(
                        request("done", "body"),
                        request("done", "other"),
                        request("new", "body"))));
    assertThat(responses.get(0)).hasValueSatisfying(a -> assertThat(a).isEqualTo(bytes("answer")));
    assertThat(responses.get(1)).isEmpty();
    assertThat(responses.get(2)).isEmpty();
  }

  @Test
  void purge_afterSevenDays_deletesAtMostTheLimit() {
    for (String key : List.of("a", "b", "c")) {
      claimAndStore(request(key, "body"), "answer");
    }
    assertThat(purge(NOW.plus(Duration.ofDays(7)), 10)).isZero();
    assertThat(purge(NOW.plus(Duration.ofDays(7)).plusMillis(1), 2)).isEqualTo(2);
    assertThat(purge(NOW.plus(Duration.ofDays(7)).plusMillis(1), 2)).isEqualTo(1);
  }

  @Test
  void request_badKey_isInvalid() {
    assertThatThrownBy(() -> request("k".repeat(201), "body")).isInstanceOf(Failure.class);
    assertThatThrownBy(() -> request("", "body")).isInstanceOf(Failure.class);
  }

  private static IdempotentRequest request(String key, String body) {
    return IdempotentRequest.of(Home.of("user:1"), "user:1", "Publish", key, bytes(body), NOW);
  }

  private List<Claim> claim(IdempotentRequest... requests) {
    return database.inTransaction(tx -> store.claim(tx, List.of(requests)));
  }

  private void claimAndStore(IdempotentRequest request, String response) {
    database.transact(
        tx -> {
          store.claim(tx, List.of(request));
          store.store(tx, List.of(new ResponseToStore(request, bytes(response))));
        });
  }

  private int purge(Instant now, int limit) {
    return database.inTransaction(tx -> store.purge(tx, Home.of("user:1"), now, limit));
  }

  private static void assertResult(Claim claim, String response) {
    assertThat(claim)
        .isInstanceOfSatisfying(
            Claim.Replayed.class, a -> assertThat(a.response()).isEqualTo(bytes(response)));
  }

  /// Waits until the concurrent transaction is blocked by a lock, on a cluster on one of its workers.
  private void awaitBlocked() throws SQLException {
    String sessions = TestPostgres.shared().hasCitus() ? "citus_stat_activity" : "pg_stat_activity";
    String blocked =
        "SELECT 1 FROM %s WHERE wait_event_type = 'Lock' AND datname = current_database()"
            .formatted(sessions);
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (database.read(tx -> tx.sql(blocked).first(row -> 1)).isEmpty()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
