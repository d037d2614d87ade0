package dev.torg.notifications.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.api.v1.ChannelSettings;
import dev.torg.api.v1.Limit;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.TopicSettings;
import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.merge.PagedBellMerge;
import dev.torg.notifications.operation.ClaimedMessage;
import dev.torg.notifications.operation.OperationClaimer.Claim;
import dev.torg.notifications.operation.OutcomeRecorder;
import dev.torg.notifications.operation.RetryPolicy;
import dev.torg.notifications.operation.SentMessage;
import dev.torg.platform.Failure;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Deliveries of an anonymous identity that is merged into a login.
class DeliveryMergeIT {
  @RegisterExtension static final TestDatabase TABLES = DeliveryFixture.tables();

  private static final String NEWS = NotificationTopics.NEWS;

  /// One for each task: the common pool of a small machine has a single thread, which the claim would occupy.
  private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

  private static final DeliveryFixture FIXTURE = new DeliveryFixture(TABLES);
  private static final ClaimFixture CLAIMS = new ClaimFixture(FIXTURE);
  private static final PagedBellMerge MERGE =
      new PagedBellMerge(FIXTURE.database, FIXTURE.bell, FIXTURE.clock);

  @AfterEach
  void reset() {
    CLAIMS.insideClaim = () -> {};
  }

  @AfterAll
  static void close() {
    CLAIMS.close();
    FIXTURE.close();
  }

  @Test
  void merge_waitingOperations_areDeliveredToTheLoginOnce() {
    String anonymous = FIXTURE.withEmail();
    String login = FIXTURE.withEmail();
    FIXTURE.write(anonymous, "a", NEWS, Channel.EMAIL);
    FIXTURE.write(anonymous, "b", NEWS, Channel.EMAIL);
    FIXTURE.write(login, "b", NEWS, Channel.EMAIL);
    merge(anonymous, login);
    assertThat(titles(CLAIMS.claim(login, 10))).containsExactlyInAnyOrder("a", "b");
    assertThat(CLAIMS.claim(anonymous, 10).messages()).isEmpty();
    assertThat(FIXTURE.operations(anonymous)).isZero();
    assertThat(FIXTURE.outcomes(login, "a")).containsExactly("SENDING");
  }

  @Test
  void merge_claimInProgress_isWaitedForAndNotRepeated() {
    String anonymous = FIXTURE.withEmail();
    String login = FIXTURE.withEmail();
    FIXTURE.write(anonymous, "claimed", NEWS, Channel.EMAIL);
    FIXTURE.write(anonymous, "waiting", NEWS, Channel.EMAIL);
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch proceed = new CountDownLatch(1);
    CLAIMS.insideClaim =
        () -> {
          locked.countDown();
          awaitLatch(proceed);
        };
    CompletableFuture<Claim> claim =
        CompletableFuture.supplyAsync(() -> CLAIMS.claim(anonymous, 1), THREADS);
    awaitLatch(locked);
    CompletableFuture<Void> merging =
        CompletableFuture.runAsync(() -> merge(anonymous, login), THREADS);
    await()
        .atMost(DeliveryFixture.TIMEOUT)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> merging.isDone() || isSomethingWaiting());
    assertThat(merging).isNotDone();
    proceed.countDown();
    assertThat(titles(claim.join())).containsExactly("claimed");
    CLAIMS.insideClaim = () -> {};
    merging.join();
    assertThat(titles(CLAIMS.claim(login, 10))).containsExactly("waiting");
    assertThat(CLAIMS.claim(anonymous, 10).messages()).isEmpty();
    assertThat(FIXTURE.outcomes(login, "claimed")).containsExactly("SENDING");
  }

  @Test
  void merge_spentLimits_countForTheLogin() {
    String anonymous = FIXTURE.withEmail();
    String login = FIXTURE.withEmail();
    FIXTURE.settings(login, limit(2));
    FIXTURE.write(anonymous, "a", NEWS, Channel.EMAIL);
    FIXTURE.write(login, "b", NEWS, Channel.EMAIL);
    assertThat(CLAIMS.claim(anonymous, 10).messages()).hasSize(1);
    assertThat(CLAIMS.claim(login, 10).messages()).hasSize(1);
    merge(anonymous, login);
    MERGE.page(anonymous, login, 10, _ -> Set.of());
    FIXTURE.write(login, "c", NEWS, Channel.EMAIL);
    assertThat(CLAIMS.claim(login, 10).messages()).isEmpty();
    assertThat(FIXTURE.outcomes(login, "c")).containsExactly("SUPPRESSED topic-limit");
    FIXTURE.settings(login, limit(3));
    FIXTURE.write(login, "d", NEWS, Channel.EMAIL);
    assertThat(CLAIMS.claim(login, 10).messages()).hasSize(1);
  }

  /// It was sent before the merge, and its outcome is known after it.
  @Test
  void record_refusedAfterAMerge_isQueuedForTheLogin() {
    String anonymous = FIXTURE.withEmail();
    String login = FIXTURE.withEmail();
    FIXTURE.write(login, "own", NEWS, Channel.EMAIL);
    CLAIMS.claim(login, 10);
    FIXTURE.write(anonymous, "a", NEWS, Channel.EMAIL);
    ClaimedMessage message = CLAIMS.claim(anonymous, 10).messages().getFirst();
    merge(anonymous, login);
    OutcomeRecorder recorder =
        new OutcomeRecorder(FIXTURE.database, FIXTURE.progress, RetryPolicy.defaults());
    SentMessage sent =
        new SentMessage(
            message,
            List.of(
                new SentMessage.TargetOutcome(
                    new DeliveryTarget.Email("a@example.org"),
                    DeliveryOutcome.refused("http-503"))),
            FIXTURE.clock.instant());
    assertThat(recorder.record(List.of(sent))).isEmpty();
    assertThat(FIXTURE.outcomes(login, "a")).containsExactly("REFUSED http-503");
    assertThat(FIXTURE.operations(login)).isEqualTo(1);
    assertThat(recorder.record(List.of(sent))).hasSize(1);
    assertThat(FIXTURE.operations(login)).isEqualTo(1);
    assertThat(FIXTURE.operations(anonymous)).isZero();
  }

  private static boolean isSomethingWaiting() {
    return FIXTURE.database.read(
        tx ->
            tx.sql(
                    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")
                .first(_ -> true)
                .orElse(false));
  }

  /// Repeated while a lock is not granted, like the job does.
  private static void merge(String anonymous, String login) {
    boolean more = true;
    while (more) {
      try {
        more = MERGE.page(anonymous, login, 10, _ -> Set.of());
      } catch (Failure e) {
        assertThat(e.kind()).isEqualTo(Failure.Kind.UNAVAILABLE);
      }
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> titles(Claim claim) {
    return claim.messages().stream()
        .flatMap(message -> message.parts().stream())
        .map(part -> part.content().getTitle())
        .toList();
  }

  private static NotificationSettings.Builder limit(int count) {
    return NotificationSettings.newBuilder()
        .putTopics(
            NEWS,
            TopicSettings.newBuilder()
                .putChannels(
                    "EMAIL",
                    ChannelSettings.newBuilder()
                        .setLimit(Limit.newBuilder().setCount(count).setPer(Limit.Per.DAY))
                        .build())
                .build());
  }
}
