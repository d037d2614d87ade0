package dev.torg.matching.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.QueryBuilder;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EngineTest {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final Engine engine = Engine.create((InstantSource) now::get);

  @AfterEach
  void close() {
    engine.close();
  }

  private static OfferFeatures car(String title) {
    return OfferFeatures.builder()
        .categoryPath(List.of("transport", "cars"))
        .region("de/hessen/65474")
        .price(900_000, "EUR")
        .number("year", 2018)
        .value("brand", "BMW")
        .title(title)
        .build();
  }

  @Test
  void match_categoryAndRegionAbove_match() {
    engine.add(Query.builder().category("transport").region("de").build());
    engine.add(Query.builder().category("cars").region("de/hes").build());

    assertThat(engine.match(car("BMW")).ids())
        .containsExactly(Query.builder().category("transport").region("de").build().searchId());
  }

  @Test
  void match_rangeEnds_areInclusiveAndOfOneCurrency() {
    Query exact =
        Query.builder()
            .price("EUR", 900_000L, 900_000L)
            .range("year", BigDecimal.valueOf(2018), BigDecimal.valueOf(2018))
            .build();
    engine.add(exact);
    engine.add(Query.builder().price("USD", 900_000L, 900_000L).build());
    engine.add(Query.builder().price("EUR", 900_001L, null).build());

    assertThat(engine.match(car("")).ids()).containsExactly(exact.searchId());
  }

  @Test
  void match_oneRecordCorrupt_othersStillMatch() {
    Query valid = Query.builder().text("bmw").build();
    Query corrupt = Query.builder().text("bmw").category("cars").build();
    engine.add(corrupt);
    engine.add(valid);
    engine.merge();
    Base base = engine.state().base();
    base.records()[base.find(corrupt.searchId()) + Records.PROGRAM] = 0x7F000001;

    Matches matches = engine.match(car("BMW"));
    assertThat(matches.ids()).containsExactly(valid.searchId());
    assertThat(matches.failed()).isEqualTo(1);
  }

  @Test
  void match_phraseAcrossTitleAndDescription_doesNotMatch() {
    engine.add(Query.builder().text("\"red car\"").build());

    assertThat(engine.match(OfferFeatures.builder().title("red").description("car").build()).size())
        .isZero();
    assertThat(
            engine
                .match(OfferFeatures.builder().title("x").description("a red cars").build())
                .size())
        .isEqualTo(1);
  }

  @Test
  void match_sixtyFourClausesAndLargestOffer_matches() {
    QueryBuilder query = Query.builder();
    IntStream.range(0, 64)
        .forEach(i -> query.text("word" + (char) ('a' + i % 26) + (char) ('a' + i / 26)));
    engine.add(query.build());
    StringBuilder text = new StringBuilder();
    IntStream.range(0, 12_000)
        .forEach(
            i ->
                text.append("word")
                    .append((char) ('a' + i % 26))
                    .append((char) ('a' + i / 26 % 26))
                    .append(' '));

    assertThat(text.length()).isGreaterThan(80_000);
    assertThat(engine.match(OfferFeatures.builder().description(text.toString()).build()).size())
        .isEqualTo(1);
  }

  @Test
  void match_aHundredThousandOnOneHotKey_findsTheFew() {
    engine.load(
        IntStream.range(0, 100_000)
            .mapToObj(
                i ->
                    Query.builder()
                        .category("cars")
                        .price("EUR", (long) i * 100, (long) i * 100 + 99)
                        .build())
            .iterator());

    assertThat(engine.size()).isEqualTo(100_000);
    assertThat(engine.stats().delta()).as("loaded queries are merged").isZero();
    Matches matches = engine.match(car("BMW"));
    assertThat(matches.size()).isEqualTo(1);
    assertThat(matches.checked()).as("the signature rejects nearly all").isLessThan(2_000);
  }

  @Test
  void add_pastTheLimit_mergesInTheBackground() {
    Engine small =
        new Engine(
            new EngineSettings(EngineSettings.WHOLE_HASH, KeyChoice.CHEAPEST, 100),
            new Observations(now::get),
            null);
    IntStream.range(0, 500).forEach(i -> small.add(Query.builder().seller("user:" + i).build()));

    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (small.stats().base() == 0 && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertThat(small.stats().base()).isPositive();
    assertThat(small.match(OfferFeatures.builder().seller("user:7").build()).size()).isEqualTo(1);
    small.close();
  }

  @Test
  void remove_pastTheLimit_mergesInTheBackground() {
    Engine small =
        new Engine(
            new EngineSettings(EngineSettings.WHOLE_HASH, KeyChoice.CHEAPEST, 100),
            new Observations(now::get),
            null);
    List<Query> queries =
        IntStream.range(0, 90).mapToObj(i -> Query.builder().seller("user:" + i).build()).toList();
    queries.forEach(small::add);
    queries.subList(0, 20).forEach(query -> small.remove(query.searchId()));

    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (small.stats().base() == 0 && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertThat(small.stats().base()).isPositive();
    assertThat(small.size()).isEqualTo(70);
    small.close();
  }

  /// A lock that a thread leaves behind would block the writer for ever.
  @ParameterizedTest
  @MethodSource("operations")
  void operation_ofAThreadThatHasEnded_leavesNoLock(String name, Consumer<Engine> operation)
      throws InterruptedException {
    Thread.ofPlatform().start(() -> operation.accept(engine)).join();

    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          engine.add(Query.builder().text("bmw").build());
          engine.merge();
        });
  }

  static Stream<Arguments> operations() {
    Query query = Query.builder().text("audi").build();
    return Stream.of(
        operation("add", engine -> engine.add(query)),
        operation("remove", engine -> engine.remove(query.searchId())),
        operation("replace", engine -> engine.replace(query.searchId(), query)),
        operation("load", engine -> engine.load(List.of(query, query).iterator())),
        operation("contains", engine -> engine.contains(query.searchId())),
        operation("query", engine -> engine.query(query.searchId())),
        operation("size", Engine::size),
        operation("merge", Engine::merge),
        operation("stats", Engine::stats),
        operation("match", engine -> engine.match(car("audi"))));
  }

  private static Arguments operation(String name, Consumer<Engine> operation) {
    return Arguments.of(name, operation);
  }

  @Test
  void load_queriesThatExist_areHeldOnce() {
    Query query = Query.builder().text("bmw").build();
    engine.add(query);
    engine.load(List.of(query, query).iterator());

    assertThat(engine.size()).isEqualTo(1);
    assertThat(engine.match(car("bmw")).ids()).containsExactly(query.searchId());
  }

  @Test
  void removeAndQuery_unknownId_findNothing() {
    Query unknown = Query.builder().text("audi").build();
    engine.add(Query.builder().text("bmw").build());
    for (int i = 0; i < 2; i++) {
      assertThat(engine.remove(unknown.searchId())).isFalse();
      assertThat(engine.query(unknown.searchId())).isEmpty();
      assertThat(engine.contains(unknown.searchId())).isFalse();
      assertThat(engine.size()).isEqualTo(1);
      engine.merge();
    }
  }

  @Test
  void merge_afterOffersWereSeen_filesUnderTheRarerFeature() {
    for (int i = 0; i < 2_000; i++) {
      engine.match(
          OfferFeatures.builder()
              .categoryPath(List.of("cars"))
              .title(i % 100 == 0 ? "common rare" : "common")
              .build());
    }
    for (int i = 0; i < 100; i++) {
      engine.add(
          Query.builder()
              .text("common rare")
              .seller("user:1")
              .category("cars")
              .range("n" + i, BigDecimal.ONE, null)
              .build());
      engine.add(Query.builder().text("common rare").range("n" + i, BigDecimal.ONE, null).build());
    }
    engine.merge();

    assertThat(
            engine
                .match(
                    OfferFeatures.builder().categoryPath(List.of("cars")).title("common").build())
                .scanned())
        .isZero();
  }

  @Test
  void explain_miss_namesTheFailingClause() {
    Query query =
        Query.builder()
            .category("cars")
            .anyOf("brand", List.of("audi", "vw"))
            .text("bmw -rust")
            .build();

    MatchExplanation explanation = engine.explain(query, car("BMW"));
    assertThat(explanation.matches()).isFalse();
    assertThat(explanation.decidedBy()).isEqualTo("attr.brand-in=audi|vw");
    assertThat(explanation.failing()).containsExactly("attr.brand-in=audi|vw");
  }

  @Test
  void explain_match_namesTheRarestClause() {
    for (int i = 0; i < 500; i++) {
      engine.match(car("common"));
    }
    MatchExplanation explanation =
        engine.explain(
            Query.builder()
                .category("cars")
                .text("common xenon -rust")
                .range("year", BigDecimal.valueOf(2018), null)
                .build(),
            car("common xenon"));

    assertThat(explanation.matches()).isTrue();
    assertThat(explanation.decidedBy()).isEqualTo("text=xenon");
  }

  @Test
  void explain_withoutStatistics_namesTheFirstClause() {
    Query query = Query.builder().category("cars").text("bmw xenon").build();

    MatchExplanation match = MatchExplanation.of(query, car("bmw xenon"));
    assertThat(match.matches()).isTrue();
    assertThat(match.decidedBy()).isEqualTo("category=cars");
    assertThat(match.failing()).isEmpty();
    MatchExplanation miss = MatchExplanation.of(query, car("bmw"));
    assertThat(miss.matches()).isFalse();
    assertThat(miss.decidedBy()).isEqualTo("text=xenon");
    assertThat(miss.failing()).containsExactly("text=xenon");
  }

  @Test
  void estimate_burstOfTheFirstMinutes_isWhatWasSeenSoFar() {
    for (int i = 0; i < 200; i++) {
      engine.match(car("convertible"));
    }
    now.set(now.get().plus(Duration.ofMinutes(2)));

    assertThat(engine.estimate(Query.builder().text("convertible").build()).matchesPerDay())
        .isBetween(199.0, 201.0);
  }

  @Test
  void estimate_afterADay_isMatchesPerDay() {
    for (int i = 0; i < 1_000; i++) {
      engine.match(car(i % 10 == 0 ? "convertible" : "limousine"));
    }
    now.set(now.get().plus(Duration.ofDays(1)));

    assertThat(engine.estimate(Query.builder().text("convertible").build()).matchesPerDay())
        .isBetween(90.0, 110.0);
    assertThat(engine.estimate(Query.builder().text("zeppelin").build()).matchesPerDay())
        .isLessThan(2);
  }

  /// Each word alone is common. Of 200 offers none has both, so at most one in 201 is expected to.
  @Test
  void estimate_noOfferMatchedYet_isAtMostOneInTheOffersSeen() {
    for (int i = 0; i < 200; i++) {
      engine.match(car(i % 2 == 0 ? "red" : "blue"));
    }

    MatchEstimate estimate = engine.estimate(Query.builder().text("red blue").build());
    assertThat(estimate.share()).isEqualTo(1.0 / 201);
    assertThat(estimate.triedOn()).isEqualTo(200);
  }

  @Test
  void replace_query_matchesOnlyTheNewOne() {
    Query old = Query.builder().text("bmw").build();
    Query next = Query.builder().text("audi").build();
    engine.add(old);
    engine.replace(old.searchId(), next);

    assertThat(engine.match(car("bmw audi")).ids()).containsExactly(next.searchId());
    assertThat(engine.contains(old.searchId())).isFalse();
  }
}
