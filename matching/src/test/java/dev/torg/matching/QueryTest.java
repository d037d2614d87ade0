package dev.torg.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QueryTest {
  @Test
  void canonical_everyClause_isTheDocumentedText() {
    Query query = everything();

    assertThat(query.canonical())
        .isEqualTo(
            "attr.body-not-in=van&attr.brand-in=audi&attr.brand-in=bmw&attr.damaged-in=false&attr.mileageKm-to=100000&attr.year-from=2015"
                + "&attr.year-to=2020.5&category=cars&photos=true&phrase=s line&phrase-not=аварийн машин&price-currency=EUR&price-from=100000&price-to=1500000"
                + "&region=de/bayern&region=de/hessen&seller=user:42&text=navi&text=красн&text-not=rust");
    assertThat(query.searchId().hex()).isEqualTo("2f14011bf9f6d5d37b4a7e1b6fc18d74b048abc2");
  }

  @Test
  void canonical_smallQueries_keepTheirIds() {
    assertThat(Query.builder().category("cars").build().searchId().hex())
        .isEqualTo(SearchId.ofCanonical("category=cars").hex());
    assertThat(SearchId.ofCanonical("category=cars").hex())
        .isEqualTo("d2620c9475415d7258cc1c21a9de6a0b86aa5254");
    assertThat(Query.builder().text("iPhone 12").build().canonical())
        .isEqualTo("text=12&text=iphon");
  }

  private static Query everything() {
    return Query.builder()
        .category("cars")
        .region("de/hessen")
        .region("DE/Bayern/")
        .price("eur", 100_000L, 1_500_000L)
        .range("year", new BigDecimal("2015.0"), new BigDecimal("2020.50"))
        .range("mileageKm", null, new BigDecimal("1e5"))
        .anyOf("brand", List.of("BMW", "Audi", "bmw"))
        .noneOf("body", List.of("van"))
        .is("damaged", false)
        .text("navi Красная \"s-line\" -rusted -\"аварийная машина\"")
        .seller("user:42")
        .withPhotos(true)
        .build();
  }

  @Test
  void searchId_otherOrderAndSpelling_isTheSame() {
    Query query =
        Query.builder()
            .text("красные РОЗЫ -шипы")
            .anyOf("color", List.of("Red", "white"))
            .category("flowers")
            .build();
    Query same =
        Query.builder()
            .category("flowers")
            .anyOf("color", List.of("white", "RED", "red"))
            .text("-шип розы,  роза красный")
            .build();

    assertThat(same).isEqualTo(query);
    assertThat(same.searchId()).isEqualTo(query.searchId());
  }

  @Test
  void build_clausesThatChangeNothing_vanish() {
    Query plain =
        Query.builder()
            .category("cars")
            .region("de")
            .text("\"red car\" -old")
            .anyOf("brand", List.of("bmw"))
            .noneOf("brand", List.of("audi"))
            .build();
    Query wordy =
        Query.builder()
            .category("cars")
            .region("de/hessen")
            .region("de")
            .text("red \"red cars\" \"car\" -old -\"very old\"")
            .range("year", null, null)
            .price("EUR", null, null)
            .anyOf("brand", List.of("bmw", "audi"))
            .anyOf("size", List.of())
            .noneOf("brand", List.of("audi", "AUDI"))
            .build();

    assertThat(wordy.canonical()).isEqualTo(plain.canonical());
  }

  /// The longer of required phrases requires more, the shorter of excluded ones excludes more.
  @Test
  void build_phrasesWithinPhrases_keepsTheStricter() {
    Query query =
        Query.builder()
            .text(
                "\"red car\" \"very red car\" \"car red\" -\"old red car\" -\"old red\" -\"red old\"")
            .build();

    assertThat(query.phrases()).containsExactly("car red", "veri red car");
    assertThat(query.excludedPhrases()).containsExactly("old red", "red old");
  }

  @Test
  void build_allRequiredValuesExcluded_keepsTheContradiction() {
    Query query =
        Query.builder()
            .anyOf("brand", List.of("bmw", "audi"))
            .noneOf("brand", List.of("audi", "bmw", "vw"))
            .build();

    assertThat(query.anyOf().get("brand")).containsExactly("audi", "bmw");
    assertThat(query.noneOf().get("brand")).containsExactly("audi", "bmw", "vw");
  }

  @Test
  void build_booleanAndItsValue_areTheSame() {
    assertThat(Query.builder().is("damaged", true).build().searchId())
        .isEqualTo(Query.builder().anyOf("damaged", List.of("TRUE")).build().searchId());
  }

  @Test
  void canonical_valuesWithSeparators_cannotPassForOthers() {
    Query tricky = Query.builder().anyOf("a", List.of("x&attr.b-in=y", "100%")).build();

    assertThat(tricky.canonical()).isEqualTo("attr.a-in=100%25&attr.a-in=x%26attr.b-in%3Dy");
    assertThat(Query.ofCanonical(tricky.canonical())).isEqualTo(tricky);
  }

  @Test
  void ofCanonical_everyClause_isTheSameQuery() {
    assertThat(Query.ofCanonical(everything().canonical())).isEqualTo(everything());
  }

  @Test
  void build_noPositiveClause_isRefused() {
    assertThatThrownBy(() -> Query.builder().text("-old").noneOf("brand", List.of("bmw")).build())
        .isInstanceOf(InvalidQuery.class)
        .hasMessageContaining("must ask for something");
  }

  static Stream<Arguments> clauses() {
    return Stream.of(
        clause("category", q -> q.category("cars")),
        clause("regions", q -> q.region("de").region("ru")),
        clause("price", q -> q.price("EUR", 1L, 2L)),
        clause("range", q -> q.range("year", BigDecimal.ONE, null)),
        clause("any of", q -> q.anyOf("brand", List.of("bmw", "audi"))),
        clause("none of", q -> q.noneOf("brand", List.of("bmw", "audi"))),
        clause("word", q -> q.text("bmw")),
        clause("phrase", q -> q.text("\"red car\"")),
        clause("excluded word", q -> q.text("-rust")),
        clause("excluded phrase", q -> q.text("-\"very old\"")),
        clause("seller", q -> q.seller("user:1")),
        clause("photos", q -> q.withPhotos(true)));
  }

  @ParameterizedTest
  @MethodSource("clauses")
  void build_sixtyFiveClauses_isRefused(String kind, UnaryOperator<QueryBuilder> clause) {
    assertThatCode(() -> clause.apply(words(63)).build()).doesNotThrowAnyException();
    assertThatThrownBy(() -> clause.apply(words(64)).build())
        .isInstanceOf(InvalidQuery.class)
        .hasMessageContaining("at most 64");
  }

  private static Arguments clause(String kind, UnaryOperator<QueryBuilder> clause) {
    return Arguments.of(kind, clause);
  }

  private static QueryBuilder words(int count) {
    QueryBuilder query = Query.builder();
    IntStream.range(0, count)
        .forEach(i -> query.text("word" + (char) ('a' + i % 26) + (char) ('a' + i / 26)));
    return query;
  }

  @Test
  void build_wrongParts_areRefusedByName() {
    assertThatThrownBy(() -> Query.builder().price("EUR", 5L, 4L).build())
        .hasMessageContaining("lower end");
    assertThatThrownBy(() -> Query.builder().price("euro", 5L, null).build())
        .hasMessageContaining("three letters");
    assertThatThrownBy(() -> Query.builder().price("EU1", 5L, null).build())
        .hasMessageContaining("three letters");
    assertThatThrownBy(() -> Query.builder().region("/").build()).hasMessageContaining("region");
    assertThatThrownBy(() -> Query.builder().region(" ").build()).hasMessageContaining("region");
    assertThatThrownBy(
            () -> Query.builder().range("a", BigDecimal.TWO, null).range("a", null, BigDecimal.ONE))
        .hasMessageContaining("lower end");
    assertThatThrownBy(() -> Query.builder().anyOf("a b", List.of("x")).build())
        .hasMessageContaining("'a b'");
    assertThatThrownBy(() -> Query.builder().anyOf("a", List.of("x")).anyOf("a", List.of("y")))
        .hasMessageContaining("Two different");
  }
}
