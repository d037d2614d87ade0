package dev.torg.queries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.Filter;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.NumberRange;
import dev.torg.api.v1.PriceRange;
import dev.torg.api.v1.SearchQuery;
import dev.torg.platform.Failure;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QueryCanonicalizerTest {
  private static final SearchQuery CARS =
      SearchQuery.newBuilder()
          .setCategory("cars")
          .addRegions("de/hessen")
          .addRegions("de/berlin")
          .setPrice(PriceRange.newBuilder().setFrom(eur(100)).setTo(eur(1_500_000)))
          .setText("navi leather -rust")
          .setSellerId("user:7")
          .addFilters(anyOf("brand", "BMW", "Audi"))
          .addFilters(noneOf("fuel", "diesel", "gas"))
          .addFilters(range("year", 2015, 2020))
          .addFilters(Filter.newBuilder().setKey("abs").setIs(true))
          .setWithPhotos(true)
          .build();

  private static Money eur(long amount) {
    return Money.newBuilder().setAmount(amount).setCurrency("EUR").build();
  }

  private static Filter anyOf(String key, String... values) {
    return Filter.newBuilder().setKey(key).addAllAnyOf(List.of(values)).build();
  }

  private static Filter noneOf(String key, String... values) {
    return Filter.newBuilder().setKey(key).addAllNoneOf(List.of(values)).build();
  }

  private static Filter range(String key, double from, double to) {
    return Filter.newBuilder()
        .setKey(key)
        .setRange(NumberRange.newBuilder().setFrom(from).setTo(to))
        .build();
  }

  private static String id(SearchQuery.Builder query) {
    return id(query.build());
  }

  private static String id(SearchQuery query) {
    return QueryCanonicalizer.canonical(query).searchId().hex();
  }

  static Stream<SearchQuery> sameSearches() {
    return Stream.of(
        CARS,
        CARS.toBuilder().setText("  LEATHER  -Rust Navi navi").build(),
        CARS.toBuilder().clearRegions().addRegions("DE/Berlin/").addRegions("/de/hessen").build(),
        CARS.toBuilder().addRegions("de/berlin/mitte").build(),
        CARS.toBuilder()
            .clearFilters()
            .addFilters(Filter.newBuilder().setKey("abs").setIs(true))
            .addFilters(range("year", 2015.0, 2020))
            .addFilters(noneOf("fuel", "GAS", " Diesel "))
            .addFilters(anyOf("brand", "audi", "bmw", "BMW"))
            .build(),
        CARS.toBuilder()
            .setPrice(
                PriceRange.newBuilder()
                    .setFrom(eur(100).toBuilder().setCurrency("eur"))
                    .setTo(eur(1_500_000).toBuilder().setCurrency("eur")))
            .build(),
        CARS.toBuilder().setFilters(3, anyOf("abs", "TRUE")).build());
  }

  @ParameterizedTest
  @MethodSource("sameSearches")
  void canonical_equivalentSearch_hasSameId(SearchQuery query) {
    assertThat(id(query)).isEqualTo(id(CARS));
  }

  static Stream<SearchQuery.Builder> otherSearches() {
    return Stream.of(
        CARS.toBuilder().setCategory("vans"),
        CARS.toBuilder().clearCategory(),
        CARS.toBuilder().addRegions("fr"),
        CARS.toBuilder().clearPrice(),
        CARS.toBuilder().setPrice(PriceRange.newBuilder().setTo(eur(1_500_000))),
        CARS.toBuilder().setText("navi leather"),
        CARS.toBuilder().setText("\"navi leather\" -rust"),
        CARS.toBuilder().setSellerId("user:8"),
        CARS.toBuilder().setFilters(0, anyOf("brand", "BMW")),
        CARS.toBuilder().setFilters(1, anyOf("fuel", "diesel", "gas")),
        CARS.toBuilder().setFilters(2, range("year", 2015, 2021)),
        CARS.toBuilder().setFilters(3, Filter.newBuilder().setKey("abs").setIs(false)),
        CARS.toBuilder().setWithPhotos(false));
  }

  @ParameterizedTest
  @MethodSource("otherSearches")
  void canonical_anyPartDiffers_hasDifferentId(SearchQuery.Builder query) {
    assertThat(id(query)).isNotEqualTo(id(CARS));
  }

  @Test
  void canonical_priceWithoutEnds_isNoClause() {
    SearchQuery open =
        SearchQuery.newBuilder().setCategory("cars").setPrice(PriceRange.newBuilder()).build();
    assertThat(id(open)).isEqualTo(id(SearchQuery.newBuilder().setCategory("cars")));
  }

  static Stream<Arguments> nonsense() {
    SearchQuery.Builder cars = SearchQuery.newBuilder().setCategory("cars");
    return Stream.of(
        Arguments.of("query", SearchQuery.newBuilder()),
        Arguments.of("query", SearchQuery.newBuilder().setText("-rust")),
        Arguments.of("query", SearchQuery.newBuilder().setText("x".repeat(20_001))),
        Arguments.of("query.regions", cars.clone().addRegions("/")),
        Arguments.of(
            "query.price",
            cars.clone()
                .setPrice(
                    PriceRange.newBuilder()
                        .setFrom(eur(1))
                        .setTo(eur(2).toBuilder().setCurrency("RUB")))),
        Arguments.of("query.filters", cars.clone().addFilters(Filter.newBuilder().setKey("year"))),
        Arguments.of(
            "query.filters", cars.clone().addFilters(anyOf("year", "x").toBuilder().setIs(true))),
        Arguments.of(
            "query.filters",
            cars.clone().addFilters(anyOf("year", "x").toBuilder().addNoneOf("y"))),
        Arguments.of("query.filters", cars.clone().addFilters(range("year", Double.NaN, 1))),
        Arguments.of(
            "query.filters", cars.clone().addFilters(range("year", 0, Double.POSITIVE_INFINITY))),
        Arguments.of(
            "query.filters", cars.clone().addFilters(anyOf("a", "x")).addFilters(anyOf("a", "y"))));
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void canonical_invalidQuery_namesField(String field, SearchQuery.Builder query) {
    assertThatThrownBy(() -> id(query))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(Failure.Kind.INVALID);
              assertThat(failure.code()).isEqualTo("query.invalid");
              assertThat(failure.violations().getFirst().field()).isEqualTo(field);
            });
  }
}
