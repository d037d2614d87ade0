package dev.torg.matching.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Readers run while one writer adds, removes and merges: an added query matches immediately, a removed one
/// never again, the others always.
class EngineConcurrencyTest {
  private static final Duration TIME = Duration.ofSeconds(3);

  private final Engine engine =
      new Engine(
          new EngineSettings(EngineSettings.WHOLE_HASH, KeyChoice.CHEAPEST, 200),
          new Observations(InstantSource.system()),
          null);
  private final AtomicBoolean going = new AtomicBoolean(true);
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicLong matched = new AtomicLong();

  private final Query staying = query("staying", 0);

  @Test
  void match_whileWriterChurnsAndMerges_neverWrong() throws Exception {
    engine.add(staying);
    List<Thread> recipients =
        IntStream.range(0, 2).mapToObj(i -> Thread.ofPlatform().start(this::read)).toList();
    Thread merger = Thread.ofPlatform().start(this::mergeAllTheTime);
    write();
    going.set(false);
    for (Thread thread : Stream.concat(recipients.stream(), Stream.of(merger)).toList()) {
      thread.join(10_000);
    }
    engine.close();

    assertThat(wrong).isEmpty();
    assertThat(matched).hasPositiveValue();
  }

  /// Numbers are words that no stemmer changes.
  private static Query query(String word, int number) {
    return Query.builder().category("cars").text(word + " -" + number).build();
  }

  private static OfferFeatures offer(String word, int number) {
    return OfferFeatures.builder()
        .categoryPath(List.of("cars"))
        .title(word + " staying")
        .description(Integer.toString(number))
        .build();
  }

  /// The writer's own view: visible immediately after an add, invisible immediately after a removal.
  private void write() {
    long end = System.nanoTime() + TIME.toNanos();
    for (int i = 1; System.nanoTime() < end; i++) {
      String word = Integer.toString(1_000_000 + i % 20);
      Query query = query(word, i);
      engine.add(query);
      check(
          engine.match(offer(word, i + 1)).ids().contains(query.searchId()),
          "added but not matched");
      check(
          !engine.match(offer(word, i)).ids().contains(query.searchId()),
          "matched though excluded");
      engine.remove(query.searchId());
      check(
          engine.match(offer(word, i + 1)).ids().equals(List.of(staying.searchId())),
          "removed but matched");
    }
  }

  /// Readers see the query that stays in every match, each id once.
  private void read() {
    for (int i = 1; going.get(); i++) {
      List<SearchId> ids = engine.match(offer(Integer.toString(1_000_000 + i % 20), i)).ids();
      check(ids.contains(staying.searchId()), "a query that stays was missed");
      check(new HashSet<>(ids).size() == ids.size(), "an id twice");
      matched.addAndGet(ids.size());
    }
  }

  private void mergeAllTheTime() {
    while (going.get()) {
      engine.merge();
    }
  }

  private void check(boolean holds, String message) {
    if (!holds) {
      wrong.add(message);
    }
  }
}
