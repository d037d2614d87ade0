package dev.torg.matching.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.QueryBuilder;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Queries that share a key and differ in one clause: the signature must reject nearly all of them before the exact
/// check, and never the one that matches.
class SignatureTest {
  private static final int QUERIES = 1_000;

  /// The key that most offers have: of these queries the photos.
  private static final KeyChoice MOST_COMMON =
      (costs, count) ->
          IntStream.range(0, count)
              .reduce(0, (best, next) -> costs[next] > costs[best] ? next : best);

  static Stream<Arguments> clauses() {
    return Stream.of(
        clause("word", (q, i) -> q.text("" + i), (o, i) -> o.title("" + i)),
        clause("third word", (q, i) -> q.text("1 2 " + i), (o, i) -> o.title("2 1 " + i)),
        clause("first of words", (q, i) -> q.text(i + " 98 99"), (o, i) -> o.title("98 99 " + i)),
        clause("phrase", (q, i) -> q.text("\"1 " + i + "\""), (o, i) -> o.title("1 " + i)),
        clause(
            "end of a phrase",
            (q, i) -> q.text("\"1 2 " + i + "\""),
            (o, i) -> o.title("1 2 " + i)),
        clause("region", (q, i) -> q.region("de/" + i), (o, i) -> o.region("de/" + i)),
        clause("value", (q, i) -> q.anyOf("a", List.of("" + i)), (o, i) -> o.value("a", "" + i)),
        clause("price", (q, i) -> q.price("EUR", (long) i, (long) i), (o, i) -> o.price(i, "EUR")),
        clause("range", (q, i) -> q.range("a", number(i), number(i)), (o, i) -> o.number("a", i)),
        clause(
            "narrowest range",
            (q, i) ->
                q.range("b", number(-i), number(i))
                    .range("c", number(i), number(i))
                    .range("d", number(-i), number(i)),
            (o, i) -> o.number("b", 5).number("c", i).number("d", 5)));
  }

  @ParameterizedTest
  @MethodSource("clauses")
  void match_oneClauseDiffers_rejectsNearlyAllWithoutTheExactCheck(
      String name,
      BiFunction<QueryBuilder, Integer, QueryBuilder> clause,
      BiFunction<OfferFeatures.Builder, Integer, OfferFeatures.Builder> part) {
    Engine engine =
        new Engine(
            new EngineSettings(EngineSettings.WHOLE_HASH, MOST_COMMON, Integer.MAX_VALUE),
            new Observations(InstantSource.system()),
            null);
    IntStream.range(100, 100 + QUERIES)
        .forEach(i -> engine.add(clause.apply(Query.builder().withPhotos(true), i).build()));
    engine.merge();

    for (int i : new int[] {100, 500, 99 + QUERIES}) {
      Query wanted = clause.apply(Query.builder().withPhotos(true), i).build();
      Matches matches = engine.match(part.apply(OfferFeatures.builder().photos(true), i).build());
      assertThat(matches.ids()).containsExactly(wanted.searchId());
      assertThat(matches.scanned()).isEqualTo(QUERIES);
      assertThat(matches.checked()).isLessThanOrEqualTo(10);
    }
    engine.close();
  }

  private static Arguments clause(
      String name,
      BiFunction<QueryBuilder, Integer, QueryBuilder> clause,
      BiFunction<OfferFeatures.Builder, Integer, OfferFeatures.Builder> part) {
    return Arguments.of(name, clause, part);
  }

  private static BigDecimal number(int value) {
    return BigDecimal.valueOf(value);
  }
}
