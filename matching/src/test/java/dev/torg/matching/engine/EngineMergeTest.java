package dev.torg.matching.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Changes while a merge runs, and merges that fail. A merge chooses the keys of one query after the other, so the
/// choice is the hook. Queries 0 to 9 are in the base, 10 to 19 in the delta that is merged.
class EngineMergeTest {
  private static final int MERGE_NEVER = Integer.MAX_VALUE;

  /// The action of [#duringMerge], and the choices left before it.
  private Runnable action = () -> {};

  private int remainingChoices = -1;

  private Engine engine = engine(MERGE_NEVER, this::choose);

  @BeforeEach
  void fill() {
    add(0, 10);
    engine.merge();
    add(10, 20);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void remove_duringMerge_isEffectiveAfterIt() {
    duringMerge(
        19,
        () -> {
          for (int number : new int[] {0, 10, 19}) {
            assertThat(engine.remove(id(number))).isTrue();
            assertThat(engine.remove(id(number))).isFalse();
            assertThat(engine.contains(id(number))).isFalse();
          }
          assertHolds(IntStream.range(1, 19).filter(number -> number != 10));
        });

    assertHolds(IntStream.range(1, 19).filter(number -> number != 10));
    assertThat(engine.size()).isEqualTo(17);
    engine.merge();
    assertThat(engine.stats().base()).isEqualTo(17);
  }

  @Test
  void add_duringMerge_recognizesQueriesOfAllParts() {
    duringMerge(
        5,
        () -> {
          assertThat(engine.add(query(0))).as("in the base").isFalse();
          assertThat(engine.add(query(10))).as("in the delta that is merged").isFalse();
          assertThat(engine.add(query(20))).isTrue();
          assertThat(engine.add(query(20))).as("in the new delta").isFalse();
          for (int number : new int[] {0, 10, 20}) {
            assertThat(engine.query(id(number))).contains(query(number));
          }
          assertHolds(IntStream.range(0, 21));
        });

    assertHolds(IntStream.range(0, 21));
    assertThat(engine.size()).isEqualTo(21);
    assertThat(engine.stats().base()).isEqualTo(20);
    assertThat(engine.stats().delta()).isEqualTo(1);
  }

  @Test
  void removeAndAddAgain_duringMerge_isHeldOnce() {
    duringMerge(
        19,
        () -> {
          engine.remove(id(3));
          engine.add(query(3));
        });

    assertHolds(IntStream.range(0, 20));
    assertThat(engine.size()).isEqualTo(20);
    engine.remove(id(3));
    assertHolds(IntStream.range(0, 20).filter(number -> number != 3));
  }

  @Test
  void merge_fails_losesNothingAndIsCompletedByTheNext() {
    failMerge();
    engine.add(query(20));
    engine.remove(id(15));
    assertHolds(IntStream.range(0, 21).filter(number -> number != 15));

    engine.merge();

    assertHolds(IntStream.range(0, 21).filter(number -> number != 15));
    assertThat(engine.stats().base()).as("without the delta since the failure").isEqualTo(19);
    engine.merge();
    assertHolds(IntStream.range(0, 21).filter(number -> number != 15));
    assertThat(engine.stats().base()).isEqualTo(20);
  }

  @Test
  void snapshot_afterAFailedMerge_containsAllParts(@TempDir Path directory) throws Exception {
    failMerge();
    engine.add(query(20));
    Path file = directory.resolve("searches.snapshot");
    engine.snapshot(file, new byte[0]);
    engine.close();

    engine = Engine.restore(file, InstantSource.system()).engine();

    assertHolds(IntStream.range(0, 21));
  }

  @Test
  void add_afterAFailedMergeInTheBackground_mergesAgain() {
    engine.close();
    AtomicBoolean failed = new AtomicBoolean();
    Thread test = Thread.currentThread();
    engine =
        engine(
            50,
            (costs, count) -> {
              if (Thread.currentThread() != test && failed.compareAndSet(false, true)) {
                throw new IllegalStateException("on purpose");
              }
              return KeyChoice.CHEAPEST.choose(costs, count);
            });

    int added = 0;
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (engine.stats().base() == 0 && added < 100_000 && System.nanoTime() < end) {
      engine.add(query(added++));
    }

    assertThat(failed).isTrue();
    assertThat(engine.stats().base()).isPositive();
    assertHolds(IntStream.range(0, added));
  }

  /// Merges, and runs the action after the keys of this many queries were chosen.
  private void duringMerge(int choices, Runnable next) {
    action = next;
    remainingChoices = choices;
    engine.merge();
    assertThat(remainingChoices).as("the action ran").isNegative();
  }

  private void failMerge() {
    assertThatThrownBy(
            () ->
                duringMerge(
                    15,
                    () -> {
                      throw new IllegalStateException("on purpose");
                    }))
        .hasMessage("on purpose");
  }

  private int choose(double[] costs, int count) {
    if (remainingChoices >= 0 && remainingChoices-- == 0) {
      action.run();
    }
    return KeyChoice.CHEAPEST.choose(costs, count);
  }

  private static Engine engine(int mergeAfter, KeyChoice choice) {
    return new Engine(
        new EngineSettings(EngineSettings.WHOLE_HASH, choice, mergeAfter),
        new Observations(InstantSource.system()),
        null);
  }

  private void add(int from, int to) {
    IntStream.range(from, to).forEach(number -> engine.add(query(number)));
  }

  /// Every offer of the seller satisfies it; the excluded value makes it different from the others.
  private static Query query(int number) {
    return Query.builder().seller("user:1").noneOf("number", List.of("" + number)).build();
  }

  private static SearchId id(int number) {
    return query(number).searchId();
  }

  private void assertHolds(IntStream numbers) {
    OfferFeatures offer = OfferFeatures.builder().seller("user:1").build();
    assertThat(engine.match(offer).ids())
        .containsExactlyInAnyOrderElementsOf(numbers.mapToObj(EngineMergeTest::id).toList());
  }
}
