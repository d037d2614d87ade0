package dev.torg.platform.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CrossPartitionBatcherTest {
  private final List<List<Long>> calls = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch first = new CountDownLatch(1);
  private final ExecutorService partitions = Executors.newCachedThreadPool();
  private final AtomicLong nanos = new AtomicLong();
  private final CrossPartitionBatcher batcher = new CrossPartitionBatcher(this::handle, nanos::get);
  private volatile boolean refusing = true;

  /// Blocks the first call until it is released; an event with offset 13 is bad, and one with
  /// offset 14 fails the handler with an error.
  private void handle(List<Event> events) throws Exception {
    calls.add(events.stream().map(Event::offset).toList());
    if (calls.size() == 1) {
      first.await();
    }
    if (refusing && events.stream().anyMatch(event -> event.offset() == 13)) {
      throw new IllegalArgumentException("bad");
    }
    if (refusing && events.stream().anyMatch(event -> event.offset() == 14)) {
      throw new StackOverflowError("on purpose");
    }
  }

  @AfterEach
  void end() {
    partitions.shutdownNow();
  }

  @Test
  void handle_othersArriveMeanwhile_goTogetherInTheNextCall() throws Exception {
    List<Future<?>> all = new ArrayList<>(List.of(deliver(1)));
    await().until(() -> calls.size() == 1);
    all.addAll(List.of(deliver(2), deliver(3), deliver(4)));
    await().until(() -> parked() == 3);
    first.countDown();
    for (Future<?> future : all) {
      future.get();
    }
    assertThat(calls).hasSize(2);
    assertThat(calls.get(1)).containsExactlyInAnyOrder(2L, 3L, 4L);
  }

  @Test
  void handle_oneOfSeveralIsBad_onlyItsCallerReceivesTheFailure() throws Exception {
    Future<?> busy = deliver(1);
    await().until(() -> calls.size() == 1);
    Future<?> good = deliver(2);
    Future<?> bad = deliver(13);
    await().until(() -> parked() == 2);
    first.countDown();
    busy.get();
    good.get();
    assertThatThrownBy(bad::get).isInstanceOf(ExecutionException.class);
    assertThat(calls).hasSize(4).contains(List.of(2L), List.of(13L));
  }

  @Test
  void handle_aloneAndBad_failsWithoutASecondTry() {
    first.countDown();
    assertThatThrownBy(() -> batcher.handle(List.of(event(13))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(calls).hasSize(1);
  }

  @Test
  void handle_errorInASharedCall_othersHandleTheirEventsSeparately() throws Exception {
    Future<?> busy = deliver(1);
    await().until(() -> calls.size() == 1);
    List<Future<?>> good = List.of(deliver(2), deliver(3));
    Future<?> bad = deliver(14);
    await().until(() -> parked() == 3);
    first.countDown();
    busy.get(10, TimeUnit.SECONDS);
    for (Future<?> future : good) {
      future.get(10, TimeUnit.SECONDS);
    }
    assertThatThrownBy(() -> bad.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(StackOverflowError.class);
    assertThat(calls).contains(List.of(2L), List.of(3L), List.of(14L));
  }

  /// A partition that keeps failing, as with a row that stays locked, costs the others one call.
  @Test
  void handle_afterItsOwnFailure_doesNotJoinTheOthers() throws Exception {
    failInSharedCall(2);
    List<Future<?>> healthy = hold(3, 4);
    Future<?> failing = deliver(13);
    assertThatThrownBy(failing::get).isInstanceOf(ExecutionException.class);
    assertThat(calls.getLast()).containsExactly(13L);
    release(healthy);
    assertThat(calls.getLast()).containsExactly(4L);
  }

  @Test
  void handleSingle_whileOthersWait_doesNotJoinThem() throws Exception {
    List<Future<?>> healthy = hold(1, 2);
    assertThatThrownBy(() -> batcher.handleSingle(event(13)))
        .isInstanceOf(IllegalArgumentException.class);
    release(healthy);
    assertThat(calls).containsExactly(List.of(1L), List.of(13L), List.of(2L));
  }

  @Test
  void handle_batchHandledSeparately_rejoinsSharedCalls() throws Exception {
    failInSharedCall(2);
    refusing = false;
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    first.countDown();
    batcher.handle(List.of(event(13)));
    startOver();
    List<Future<?>> all = new ArrayList<>(hold(3, 4));
    all.add(deliver(13));
    await().until(() -> parked() == 2);
    release(all);
    assertThat(calls.getLast()).containsExactlyInAnyOrder(4L, 13L);
  }

  @Test
  void handle_largeEvents_sharesNoMoreThanItsBytes() throws Exception {
    Future<?> busy = deliver(1);
    await().until(() -> calls.size() == 1);
    List<Future<?>> large = new ArrayList<>();
    for (int offset = 20; offset < 32; offset++) {
      large.add(deliver(event(offset, 3 << 20)));
    }
    await().until(() -> parked() == 12);
    first.countDown();
    busy.get();
    for (Future<?> future : large) {
      future.get();
    }
    assertThat(calls).hasSize(5).allMatch(call -> call.size() <= 3);
  }

  /// Puts a bad event and a good one into a shared call, so that the bad one's partition is
  /// excluded afterwards.
  private void failInSharedCall(long good) throws Exception {
    Future<?> busy = deliver(1);
    await().until(() -> calls.size() == 1);
    List<Future<?>> both = List.of(deliver(good), deliver(13));
    await().until(() -> parked() == 2);
    first.countDown();
    busy.get();
    both.getFirst().get();
    assertThatThrownBy(both.getLast()::get).isInstanceOf(ExecutionException.class);
    startOver();
  }

  /// Makes the next call the first one again.
  private void startOver() {
    delivering.clear();
    calls.clear();
    first = new CountDownLatch(1);
  }

  /// One call that is blocked, and others that wait for it.
  private List<Future<?>> hold(long held, long... others) {
    List<Future<?>> all = new ArrayList<>(List.of(deliver(held)));
    await().until(() -> calls.size() == 1);
    for (long other : others) {
      all.add(deliver(other));
    }
    await().until(() -> parked() == others.length);
    return all;
  }

  private void release(List<Future<?>> all) throws Exception {
    first.countDown();
    for (Future<?> future : all) {
      future.get();
    }
  }

  private final List<Thread> delivering = new CopyOnWriteArrayList<>();

  private Future<?> deliver(long offset) {
    return deliver(event(offset));
  }

  private Future<?> deliver(Event event) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    partitions.execute(
        () -> {
          delivering.add(Thread.currentThread());
          try {
            batcher.handle(List.of(event));
            done.complete(null);
          } catch (Exception | Error e) {
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  /// Those that wait for their turn; the first one waits inside its call.
  private long parked() {
    return delivering.stream().filter(thread -> thread.getState() == Thread.State.WAITING).count()
        - 1;
  }

  private static Event event(long offset) {
    return event(offset, 0);
  }

  /// Every offset has its own partition.
  private static Event event(long offset, int bytes) {
    return new Event("letters", (int) offset, offset, "", 0, new byte[bytes], Instant.EPOCH, false);
  }
}
