package dev.torg.platform.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandleTogetherTest {
  private final List<List<Long>> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch first = new CountDownLatch(1);
  private final ExecutorService partitions = Executors.newCachedThreadPool();
  private final HandleTogether together = new HandleTogether(this::handle);

  /// Holds the first call until it is let go; an event with offset 13 is bad.
  private void handle(List<Event> events) throws Exception {
    calls.add(events.stream().map(Event::offset).toList());
    if (calls.size() == 1) {
      first.await();
    }
    if (events.stream().anyMatch(event -> event.offset() == 13)) {
      throw new IllegalArgumentException("bad");
    }
  }

  @AfterEach
  void end() {
    partitions.shutdownNow();
  }

  @Test
  void handle_othersArriveMeanwhile_goTogetherInTheNextCall() throws Exception {
    List<Future<?>> all = new ArrayList<>(List.of(bring(1)));
    await().until(() -> calls.size() == 1);
    all.addAll(List.of(bring(2), bring(3), bring(4)));
    await().until(() -> parked() == 3);
    first.countDown();
    for (Future<?> one : all) {
      one.get();
    }
    assertThat(calls).hasSize(2);
    assertThat(calls.get(1)).containsExactlyInAnyOrder(2L, 3L, 4L);
  }

  @Test
  void handle_oneOfSeveralIsBad_onlyItsBringerHearsOfIt() throws Exception {
    Future<?> busy = bring(1);
    await().until(() -> calls.size() == 1);
    Future<?> good = bring(2);
    Future<?> bad = bring(13);
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
    assertThatThrownBy(() -> together.handle(List.of(event(13))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(calls).hasSize(1);
  }

  private final List<Thread> bringing = new CopyOnWriteArrayList<>();

  private Future<?> bring(long offset) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    partitions.execute(
        () -> {
          bringing.add(Thread.currentThread());
          try {
            together.handle(List.of(event(offset)));
            done.complete(null);
          } catch (Exception e) {
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  /// Those that wait for their turn; the first one waits inside its call.
  private long parked() {
    return bringing.stream().filter(thread -> thread.getState() == Thread.State.WAITING).count()
        - 1;
  }

  private static Event event(long offset) {
    return new Event("letters", 0, offset, "", 0, new byte[0], Instant.EPOCH, false);
  }
}
