package dev.torg.alerts.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Value;
import dev.torg.api.v1.Offer;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.QueryBuilder;
import dev.torg.matching.engine.QueryCheck;
import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryFile;
import dev.torg.queries.OfferFeatureExtractor;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchMatcherTest {
  private static final Categories CATEGORIES = CategoryFile.defaultTree();
  private static final List<String> WORDS = List.of("red", "blue", "golf", "polo", "rusty");
  private static final List<String> BRANDS = List.of("audi", "bmw", "vw");

  private static <T> T any(Random random, List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private static Query query(Random random) {
    QueryBuilder query = Query.builder();
    int conditions = 1 + random.nextInt(7);
    if ((conditions & 1) != 0) {
      query.category("cars");
    }
    if ((conditions & 2) != 0) {
      query.anyOf("brand", List.of(any(random, BRANDS)));
    }
    if ((conditions & 4) != 0) {
      query.text(any(random, WORDS) + " " + any(random, WORDS));
    }
    if (conditions != 4 && random.nextBoolean()) {
      query.text("-" + any(random, WORDS));
    }
    return query.build();
  }

  private static Offer offer(Random random) {
    return Offer.newBuilder()
        .setId("1")
        .setCategory(random.nextBoolean() ? "cars" : "electronics")
        .setTitle(any(random, WORDS) + " " + any(random, WORDS))
        .setDescription(any(random, WORDS))
        .putAttributes("brand", Value.newBuilder().setStringValue(any(random, BRANDS)).build())
        .build();
  }

  private static boolean holds(QueryCheck check, OfferFeatures features) {
    return check.factsHold(features) && check.textHolds(features);
  }

  /// Checked one by one and by an engine.
  @ParameterizedTest
  @ValueSource(ints = {1, 20, 2_000})
  void matching_randomSearches_agreesWithBruteForce(int count) {
    Random random = new Random(count);
    Map<String, Query> queries =
        IntStream.range(0, count)
            .boxed()
            .collect(Collectors.toMap(i -> "s" + i, _ -> query(random)));
    Map<String, QueryCheck> checks = new HashMap<>();
    queries.forEach((id, query) -> checks.put(id, new QueryCheck(query)));
    try (SearchMatcher searches =
        new SearchMatcher(queries, CATEGORIES, InstantSource.system(), () -> {})) {
      for (int i = 0; i < 300; i++) {
        Offer offer = offer(random);
        OfferFeatures features = OfferFeatureExtractor.of(offer, CATEGORIES::parent);
        List<String> expected =
            checks.keySet().stream().filter(id -> holds(checks.get(id), features)).toList();
        assertThat(searches.matching(offer)).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  private static int analyses(Query... queries) {
    AtomicInteger analysed = new AtomicInteger();
    Map<String, Query> named =
        IntStream.range(0, queries.length)
            .boxed()
            .collect(Collectors.toMap(i -> "s" + i, i -> queries[i]));
    Offer offer = Offer.newBuilder().setId("1").setCategory("cars").setTitle("Red golf").build();
    try (SearchMatcher searches =
        new SearchMatcher(named, CATEGORIES, InstantSource.system(), analysed::incrementAndGet)) {
      searches.matching(offer);
    }
    return analysed.get();
  }

  @Test
  void matching_searchWithText_analysesAtMostOnce() {
    Query text = Query.builder().text("golf").build();
    Query carsText = Query.builder().category("cars").text("polo").build();
    Query cars = Query.builder().category("cars").build();
    Query phones = Query.builder().category("electronics").text("golf").build();
    assertThat(analyses(cars)).isZero();
    assertThat(analyses(phones)).isZero();
    assertThat(analyses(phones, cars)).isZero();
    assertThat(analyses(text)).isEqualTo(1);
    assertThat(analyses(text, carsText, cars, phones)).isEqualTo(1);
  }
}
