package dev.torg.platform.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.ShardMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class LaneSetTest {
  private static final Home HOME = new Home(1);
  private static final Function<Object, @Nullable String> NO_CALLER = _ -> null;

  private static final ShardMap FOUR_SHARDS =
      ShardMap.of(IntStream.range(0, Home.COUNT).mapToLong(home -> home % 4).toArray());

  private static final ShardMap SHARD_PER_HOME =
      ShardMap.of(LongStream.range(0, Home.COUNT).toArray());

  private final List<List<Integer>> batches = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch firstRuns = new CountDownLatch(1);
  private final CountDownLatch firstMayEnd = new CountDownLatch(1);

  private static CoalescerSettings settings(int parallel, int maxBatch, int capacity) {
    return new CoalescerSettings("test", ShardMap.single(), parallel, maxBatch, capacity);
  }

  /// A timer that waits for further items would show in the median.
  @Test
  void add_idleLane_runsAtOnce() throws InterruptedException {
    SynchronousQueue<Integer> ran = new SynchronousQueue<>();
    long[] nanos = new long[301];
    try (LaneSet<Integer> lanes =
        LaneSet.ordered(settings(1, 100, 100), NO_CALLER, batch -> putAll(ran, batch))) {
      for (int i = 0; i < nanos.length; i++) {
        long startNanos = System.nanoTime();
        lanes.add(i, HOME, 0);
        assertThat(ran.take()).isEqualTo(i);
        nanos[i] = System.nanoTime() - startNanos;
      }
    }
    Arrays.sort(nanos);
    assertThat(nanos[nanos.length / 2]).isLessThan(TimeUnit.MILLISECONDS.toNanos(5));
  }

  /// The best of several: gathering that outlived its burst would delay every one of them.
  @Test
  void add_aloneSomeTimeAfterABurst_runsAtOnce() throws InterruptedException {
    LongAccumulator fastest = new LongAccumulator(Long::min, Long.MAX_VALUE);
    SynchronousQueue<Integer> ran = new SynchronousQueue<>();
    try (LaneSet<Integer> lanes =
        LaneSet.ordered(settings(1, 100, 100), NO_CALLER, batch -> runBurstSlowly(batch, ran))) {
      for (int round = 0; round < 10; round++) {
        numbers(1, 50).forEach(i -> lanes.add(i, HOME, 0));
        awaitEmptyFor(lanes, Duration.ofMillis(100));
        long startNanos = System.nanoTime();
        lanes.add(0, HOME, 0);
        assertThat(ran.take()).isZero();
        fastest.accumulate(System.nanoTime() - startNanos);
      }
    }
    assertThat(fastest.get()).isLessThan(TimeUnit.MILLISECONDS.toNanos(4));
  }

  private static void runBurstSlowly(List<Integer> batch, SynchronousQueue<Integer> ran) {
    if (batch.equals(List.of(0))) {
      putAll(ran, batch);
    } else {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(30));
    }
  }

  private static void awaitEmptyFor(LaneSet<Integer> lanes, Duration time) {
    long empty = System.nanoTime();
    while (System.nanoTime() - empty < time.toNanos()) {
      if (lanes.waiting() > 0) {
        empty = System.nanoTime();
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void add_whileABatchRuns_formsOneNextBatch() throws InterruptedException {
    try (LaneSet<Integer> lanes =
        LaneSet.ordered(settings(1, 1000, 1000), NO_CALLER, this::runFirstSlowly)) {
      addWhileFirstRuns(lanes, 100);
    }
    assertThat(batches).containsExactly(List.of(0), numbers(1, 100));
  }

  @Test
  void add_moreThanABatchHolds_runsFirstComeFirstServed() throws InterruptedException {
    try (LaneSet<Integer> lanes =
        LaneSet.ordered(settings(1, 40, 1000), NO_CALLER, this::runFirstSlowly)) {
      addWhileFirstRuns(lanes, 100);
    }
    assertThat(batches)
        .containsExactly(List.of(0), numbers(1, 40), numbers(41, 80), numbers(81, 100));
  }

  @Test
  void add_full_failsWithExhaustedUntilThereIsCapacity() throws InterruptedException {
    try (LaneSet<Integer> lanes =
        LaneSet.ordered(settings(1, 100, 3), NO_CALLER, this::runFirstSlowly)) {
      addWhileFirstRuns(
          lanes,
          3,
          () -> {
            assertThat(kind(lanes.add(9, HOME, 0))).isEqualTo("EXHAUSTED");
            assertThat(lanes.waiting()).isEqualTo(3);
          });
      while (lanes.waiting() > 0) {
        Thread.onSpinWait();
      }
      assertThat(lanes.add(4, HOME, 0)).isNull();
    }
    assertThat(batches).containsExactly(List.of(0), numbers(1, 3), List.of(4));
  }

  @Test
  void add_oneLaneIsBlocked_leavesCapacityToOthers() throws InterruptedException {
    CoalescerSettings settings = new CoalescerSettings("test", FOUR_SHARDS, 2, 1, 8);
    Home stuck = new Home(1);
    Home healthy = new Home(2);
    CountDownLatch healthyRan = new CountDownLatch(2);
    try (LaneSet<Home> lanes =
        LaneSet.ordered(
            settings,
            NO_CALLER,
            batch -> {
              if (batch.contains(stuck)) {
                firstRuns.countDown();
                await(firstMayEnd);
              } else {
                healthyRan.countDown();
              }
            })) {
      lanes.add(stuck, stuck, 0);
      firstRuns.await();
      assertThat(lanes.add(stuck, stuck, 0)).isNull();
      assertThat(lanes.add(stuck, stuck, 0)).isNull();
      assertThat(kind(lanes.add(stuck, stuck, 0))).isEqualTo("EXHAUSTED");
      assertThat(lanes.add(healthy, healthy, 0)).isNull();
      assertThat(lanes.add(healthy, healthy, 0)).isNull();
      assertThat(healthyRan.await(10, TimeUnit.SECONDS)).isTrue();
      firstMayEnd.countDown();
    }
  }

  @Test
  void add_oneCallerSendsMany_holdsAQuarterOfTheCapacity() throws InterruptedException {
    record Item(String caller) {}
    try (LaneSet<Item> lanes =
        LaneSet.unordered(
            settings(1, 1, 8),
            Item::caller,
            batch -> {
              firstRuns.countDown();
              await(firstMayEnd);
            })) {
      lanes.add(new Item("other"), HOME, 0);
      firstRuns.await();
      assertThat(lanes.add(new Item("busy"), HOME, 0)).isNull();
      assertThat(lanes.add(new Item("busy"), HOME, 0)).isNull();
      Failure refused = lanes.add(new Item("busy"), HOME, 0);
      assertThat(kind(refused)).isEqualTo("EXHAUSTED");
      assertThat(refused.code()).isEqualTo("test.caller-full");
      assertThat(lanes.add(new Item("other"), HOME, 0)).isNull();
      firstMayEnd.countDown();
      while (lanes.waiting() > 0) {
        Thread.onSpinWait();
      }
      assertThat(lanes.add(new Item("busy"), HOME, 0)).isNull();
    }
  }

  @Test
  void add_batchThrows_laneContinues() {
    try (LaneSet<Integer> lanes =
        LaneSet.ordered(
            settings(1, 1, 100),
            NO_CALLER,
            batch -> {
              batches.add(batch);
              throw new IllegalStateException("on purpose");
            })) {
      lanes.add(1, HOME, 0);
      lanes.add(2, HOME, 0);
    }
    assertThat(batches).containsExactly(List.of(1), List.of(2));
  }

  @Test
  void add_manyThreadsAndLanes_keepsTheOrderOfEachKey() throws InterruptedException {
    record Step(int key, int number) {}
    Map<Integer, List<Integer>> seen = new ConcurrentHashMap<>();
    int keys = 20;
    int steps = 2_000;
    try (LaneSet<Step> lanes =
        LaneSet.ordered(
            settings(4, 64, 4 * keys * steps),
            NO_CALLER,
            batch ->
                batch.forEach(
                    step ->
                        seen.computeIfAbsent(step.key(), k -> new ArrayList<>())
                            .add(step.number())))) {
      List<Thread> writers =
          IntStream.range(0, keys)
              .mapToObj(
                  key ->
                      Thread.ofPlatform()
                          .start(
                              () ->
                                  IntStream.range(0, steps)
                                      .forEach(n -> lanes.add(new Step(key, n), HOME, key))))
              .toList();
      for (Thread writer : writers) {
        writer.join();
      }
    }
    assertThat(seen).hasSize(keys);
    assertThat(seen.values()).allMatch(numbers -> numbers.equals(numbers(0, steps - 1)));
  }

  /// With one permit and one home that always has items, the other home's item is still served
  /// next.
  @Test
  void add_otherHomeNeverEmpty_doesNotStarve() throws InterruptedException {
    CoalescerSettings settings = new CoalescerSettings("test", FOUR_SHARDS, 1, 1, 1000);
    AtomicInteger batchesBefore = new AtomicInteger();
    CountDownLatch quietRan = new CountDownLatch(1);
    List<LaneSet<Home>> self = new ArrayList<>();
    Home busy = new Home(1);
    Home quiet = new Home(2);
    CountDownLatch started = new CountDownLatch(1);
    try (LaneSet<Home> lanes =
        LaneSet.ordered(
            settings,
            NO_CALLER,
            batch -> {
              if (batch.getFirst().equals(quiet)) {
                quietRan.countDown();
              } else if (quietRan.getCount() > 0) {
                batchesBefore.incrementAndGet();
                self.getFirst().add(busy, busy, 0);
                started.countDown();
              }
            })) {
      self.add(lanes);
      for (int i = 0; i < 10; i++) {
        lanes.add(busy, busy, 0);
      }
      started.await();
      int before = batchesBefore.get();
      lanes.add(quiet, quiet, 0);
      assertThat(quietRan.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(before).isPositive();
    }
  }

  @Test
  void close_whileOthersAdd_runsAllAcceptedItems() throws InterruptedException {
    for (int round = 0; round < 50; round++) {
      AtomicInteger ran = new AtomicInteger();
      AtomicInteger received = new AtomicInteger();
      LaneSet<Integer> lanes =
          LaneSet.ordered(settings(3, 7, 100_000), NO_CALLER, batch -> ran.addAndGet(batch.size()));
      Thread adder = Thread.ofPlatform().start(() -> addUntilRefused(lanes, received));
      while (received.get() < 100) {
        Thread.onSpinWait();
      }
      lanes.close();
      adder.join();
      assertThat(ran).hasValue(received.get());
    }
  }

  @Test
  void add_afterClose_failsWithUnavailable() {
    LaneSet<Integer> lanes = LaneSet.ordered(settings(1, 1, 1), NO_CALLER, batch -> {});
    lanes.close();
    assertThat(kind(lanes.add(1, HOME, 0))).isEqualTo("UNAVAILABLE");
  }

  @Test
  void unordered_severalWorkers_runBatchesAtOnce() throws InterruptedException {
    CountDownLatch bothRun = new CountDownLatch(2);
    try (LaneSet<Integer> lanes =
        LaneSet.unordered(
            settings(2, 1, 10),
            NO_CALLER,
            batch -> {
              bothRun.countDown();
              await(bothRun);
            })) {
      lanes.add(1, HOME, 0);
      lanes.add(2, HOME, 0);
      assertThat(bothRun.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  /// The first item occupies a worker; the second must wake the other one, which is parked.
  @Test
  void unordered_oneWorkerIsBusy_wakesAnIdleOne() throws InterruptedException {
    Set<Thread> workers = ConcurrentHashMap.newKeySet();
    CyclicBarrier bothRun = new CyclicBarrier(2);
    CountDownLatch secondRuns = new CountDownLatch(1);
    try (LaneSet<String> lanes =
        LaneSet.unordered(
            settings(2, 1, 10),
            NO_CALLER,
            batch -> {
              switch (batch.getFirst()) {
                case "both" -> {
                  await(bothRun);
                  workers.add(Thread.currentThread());
                }
                case "first" -> {
                  firstRuns.countDown();
                  await(firstMayEnd);
                }
                default -> secondRuns.countDown();
              }
            })) {
      lanes.add("both", HOME, 0);
      lanes.add("both", HOME, 0);
      awaitParked(workers, 2);
      lanes.add("first", HOME, 0);
      firstRuns.await();
      lanes.add("second", HOME, 0);
      boolean woken = secondRuns.await(10, TimeUnit.SECONDS);
      firstMayEnd.countDown();
      assertThat(woken).isTrue();
    }
  }

  private static void awaitParked(Set<Thread> workers, int count) {
    while (workers.size() < count
        || workers.stream().anyMatch(worker -> worker.getState() != Thread.State.WAITING)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void ordered_keysInSequence_useAllLanes() throws InterruptedException {
    CountDownLatch allRun = new CountDownLatch(4);
    try (LaneSet<Integer> lanes =
        LaneSet.ordered(
            settings(4, 1, 100),
            NO_CALLER,
            batch -> {
              allRun.countDown();
              await(firstMayEnd);
            })) {
      numbers(1, 16).forEach(key -> lanes.add(key, HOME, key));
      boolean used = allRun.await(10, TimeUnit.SECONDS);
      firstMayEnd.countDown();
      assertThat(used).isTrue();
    }
  }

  /// Batches wait for each other in pairs, so that two always run at once, and yield to any that could run in
  /// addition.
  @Test
  void ordered_manyHomes_neverRunsMoreBatchesThanPermits() {
    CoalescerSettings settings = new CoalescerSettings("test", SHARD_PER_HOME, 2, 10, 10_000);
    CyclicBarrier pair = new CyclicBarrier(2);
    AtomicInteger running = new AtomicInteger();
    LongAccumulator maxConcurrent = new LongAccumulator(Long::max, 0);
    try (LaneSet<Home> lanes =
        LaneSet.ordered(
            settings,
            NO_CALLER,
            batch -> {
              maxConcurrent.accumulate(running.incrementAndGet());
              for (int i = 0; i < 100; i++) {
                Thread.yield();
              }
              await(pair);
              running.decrementAndGet();
            })) {
      for (int i = 0; i < Home.COUNT; i++) {
        Home home = new Home(i);
        lanes.add(home, home, 0);
      }
    }
    assertThat(maxConcurrent.get()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void add_severalShards_neverMixesThem(boolean ordered) {
    List<List<Home>> mixed = Collections.synchronizedList(new ArrayList<>());
    CoalescerSettings settings = new CoalescerSettings("test", FOUR_SHARDS, 3, 100, 100_000);
    try (LaneSet<Home> lanes =
        ordered
            ? LaneSet.ordered(settings, NO_CALLER, mixed::add)
            : LaneSet.unordered(settings, NO_CALLER, mixed::add)) {
      for (int i = 0; i < 10_000; i++) {
        Home home = new Home(i % Home.COUNT);
        lanes.add(home, home, i);
      }
    }
    assertThat(mixed.stream().mapToInt(List::size).sum()).isEqualTo(10_000);
    assertThat(mixed).allMatch(batch -> FOUR_SHARDS.split(batch, home -> home).size() == 1);
    assertThat(mixed).anyMatch(batch -> batch.stream().distinct().count() > 1);
  }

  private void addWhileFirstRuns(LaneSet<Integer> lanes, int count) throws InterruptedException {
    addWhileFirstRuns(lanes, count, () -> {});
  }

  private void addWhileFirstRuns(LaneSet<Integer> lanes, int count, Runnable then)
      throws InterruptedException {
    lanes.add(0, HOME, 0);
    firstRuns.await();
    for (int i = 1; i <= count; i++) {
      assertThat(lanes.add(i, HOME, 0)).isNull();
    }
    then.run();
    firstMayEnd.countDown();
  }

  private void runFirstSlowly(List<Integer> batch) {
    batches.add(batch);
    firstRuns.countDown();
    await(firstMayEnd);
  }

  private static void addUntilRefused(LaneSet<Integer> lanes, AtomicInteger received) {
    while (lanes.add(1, HOME, received.get()) == null) {
      received.incrementAndGet();
    }
  }

  private static String kind(Failure failure) {
    return failure.kind().name();
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  private static void putAll(SynchronousQueue<Integer> queue, List<Integer> batch) {
    for (int item : batch) {
      try {
        queue.put(item);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
