package dev.torg.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QueryLimitsTest {
  static Stream<Arguments> limits() {
    return Stream.of(
        limit("category", q -> q.category("c"), q -> q.category(" ")),
        limit(
            "filters", q -> q.anyOf(text(64), List.of("v")), q -> q.anyOf(text(65), List.of("v"))),
        limit("filters", q -> q.anyOf("k_1.ö-x", List.of("v")), q -> q.anyOf("a=b", List.of("v"))),
        limit("filters", q -> q.range(text(64), null, null), q -> q.range(text(65), null, null)),
        limit("filters", q -> q.noneOf("k", List.of("v")), q -> q.noneOf("", List.of("v"))),
        limit(
            "filters",
            q -> q.anyOf("k", List.of(text(256))),
            q -> q.anyOf("k", List.of(text(257)))),
        limit(
            "filters",
            q -> q.noneOf("k", List.of(text(256))),
            q -> q.noneOf("k", List.of(text(257)))),
        limit("filters", q -> q.region(text(256)), q -> q.region(text(257))),
        limit("filters", q -> q.anyOf("k", List.of("v")), q -> q.anyOf("k", List.of("v", " "))),
        limit("filters", q -> values(q, 171), q -> values(q, 171).region("one more")),
        limit("text", q -> q.stem(text(2_560)), q -> q.stem(text(2_561))),
        limit("text", q -> q.stemmedPhrase(text(2_560)), q -> q.stemmedPhrase(text(2_561))),
        limit("text", q -> q.excludedStem(text(2_560)), q -> q.excludedStem(text(2_561))),
        limit(
            "text",
            q -> q.excludedStemmedPhrase(text(2_560)),
            q -> q.excludedStemmedPhrase(text(2_561))));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void build_atTheLimit_isAcceptedAndBeyondIsRefused(
      String field, UnaryOperator<QueryBuilder> accepted, UnaryOperator<QueryBuilder> refused) {
    assertThatCode(() -> accepted.apply(query()).build()).doesNotThrowAnyException();
    assertThatThrownBy(() -> refused.apply(query()).build())
        .isInstanceOfSatisfying(InvalidQuery.class, e -> assertThat(e.field()).isEqualTo(field));
  }

  private static Arguments limit(
      String field, UnaryOperator<QueryBuilder> accepted, UnaryOperator<QueryBuilder> refused) {
    return Arguments.of(field, accepted, refused);
  }

  private static QueryBuilder query() {
    return Query.builder().withPhotos(true);
  }

  private static String text(int length) {
    return "x".repeat(length);
  }

  /// Three times as many values, less one: 512 for 171.
  private static QueryBuilder values(QueryBuilder query, int each) {
    List<String> values = IntStream.range(0, each).mapToObj(i -> "v" + i).toList();
    values.stream().skip(1).forEach(query::region);
    return query.anyOf("a", values).noneOf("b", values);
  }
}
