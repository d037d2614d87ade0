package dev.torg.matching.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// More of everything than fits the tables that the engine starts with, in the delta and in the base.
class EngineCapacityTest {
  private final Engine engine = Engine.create(InstantSource.system());

  @AfterEach
  void close() {
    engine.close();
  }

  /// A posting holds the number of a field in one byte; ranges of further fields are left to the exact check.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void match_moreFieldsThanAPostingNumbers_findsEachRange(boolean merged) {
    List<Query> queries =
        IntStream.range(0, 300)
            .mapToObj(
                i ->
                    Query.builder()
                        .category("cars")
                        .range("field" + i, BigDecimal.TWO, BigDecimal.TEN)
                        .build())
            .toList();
    add(queries, merged);

    for (int i = 0; i < queries.size(); i++) {
      String field = "field" + i;
      assertThat(engine.match(car().number(field, 2).build()).ids())
          .containsExactly(queries.get(i).searchId());
      assertThat(engine.match(car().number(field, 10).build()).ids())
          .containsExactly(queries.get(i).searchId());
      assertThat(engine.match(car().number(field, 1).number(field, 11).build()).ids()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void match_offerWithHundredsOfKeys_findsTheQueryOfEach(boolean merged) {
    List<Query> ofWords =
        IntStream.range(1_000, 1_700)
            .mapToObj(word -> Query.builder().text("" + word).build())
            .toList();
    List<Query> ofWordsInCategory =
        IntStream.range(1_000, 1_700)
            .mapToObj(word -> Query.builder().category("cars").text("" + word).build())
            .toList();
    add(ofWords, merged);
    add(ofWordsInCategory, merged);
    String text =
        IntStream.range(1_000, 1_700).mapToObj(Integer::toString).collect(Collectors.joining(" "));

    assertThat(engine.match(car().description(text).build()).ids())
        .hasSize(1_400)
        .containsAll(ids(ofWords))
        .containsAll(ids(ofWordsInCategory));
  }

  /// Each value is a key of its own, and the offer has two of them.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void match_queryUnderManyKeys_isFoundOnce(boolean merged) {
    Query query =
        Query.builder()
            .anyOf("color", IntStream.range(0, 100).mapToObj(i -> "color" + i).toList())
            .build();
    add(List.of(query), merged);

    for (int i = 0; i < 99; i++) {
      OfferFeatures offer =
          car().value("color", "color" + i).value("color", "color" + (i + 1)).build();
      assertThat(engine.match(offer).ids()).containsExactly(query.searchId());
    }
  }

  private void add(List<Query> queries, boolean merge) {
    queries.forEach(engine::add);
    if (merge) {
      engine.merge();
    }
  }

  private static List<SearchId> ids(List<Query> queries) {
    return queries.stream().map(Query::searchId).toList();
  }

  private static OfferFeatures.Builder car() {
    return OfferFeatures.builder().categoryPath(List.of("cars"));
  }
}
