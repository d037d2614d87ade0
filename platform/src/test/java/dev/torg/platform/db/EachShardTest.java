package dev.torg.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class EachShardTest {
  private static final List<List<Integer>> SHARDS =
      IntStream.range(0, 20).mapToObj(List::of).toList();

  @Test
  void map_oneShard_runsOnTheCallersThread() {
    assertThat(EachShard.map(List.of(List.of(1)), _ -> Thread.currentThread()))
        .containsExactly(Thread.currentThread());
  }

  @Test
  void map_noShard_doesNothing() {
    assertThat(EachShard.map(List.<List<Integer>>of(), List::size)).isEmpty();
  }

  @Test
  void map_severalShards_returnsResultsInTheirOrder() {
    assertThat(EachShard.map(SHARDS, List::getFirst))
        .isEqualTo(IntStream.range(0, 20).boxed().toList());
  }

  @Test
  void run_severalShards_runsAFewConcurrently() {
    CountDownLatch four = new CountDownLatch(4);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger maxConcurrent = new AtomicInteger();
    EachShard.run(
        SHARDS,
        _ -> {
          maxConcurrent.accumulateAndGet(running.incrementAndGet(), Math::max);
          four.countDown();
          await(four);
          running.decrementAndGet();
        });
    assertThat(maxConcurrent).hasValue(4);
  }

  @Test
  void run_someShardsFail_processesAllAndThrowsWithTheOthersAttached() {
    ConcurrentLinkedQueue<Integer> ran = new ConcurrentLinkedQueue<>();
    assertThatThrownBy(
            () ->
                EachShard.run(
                    SHARDS,
                    shard -> {
                      ran.add(shard.getFirst());
                      if (shard.getFirst() % 10 == 0) {
                        throw new IllegalStateException("shard " + shard.getFirst());
                      }
                    }))
        .isInstanceOf(IllegalStateException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(ran).hasSize(20);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
