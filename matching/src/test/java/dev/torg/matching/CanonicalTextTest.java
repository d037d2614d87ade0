package dev.torg.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalTextTest {
  @Test
  void canonical_controlCharacters_areEscaped() {
    Query query =
        Query.builder()
            .anyOf("a", List.of("x\u0000y", "x\u001Fy", "x y", "x\u007Fy", "x~y"))
            .build();

    assertThat(query.canonical())
        .isEqualTo("attr.a-in=x y&attr.a-in=x%00y&attr.a-in=x%1Fy&attr.a-in=x%7Fy&attr.a-in=x~y");
    assertThat(Query.ofCanonical(query.canonical())).isEqualTo(query);
  }

  /// A shorter value comes first. Java would sort the pairs of characters beyond the basic plane before `ﬁ`.
  @Test
  void canonical_values_areInCodePointOrder() {
    String smile = "\uD83D\uDE00";
    String grin = "\uD83D\uDE01";
    Query query = Query.builder().anyOf("a", List.of(smile, "ﬁ", grin, "b", "ba", "a")).build();

    assertThat(query.canonical())
        .isEqualTo(
            "attr.a-in=a&attr.a-in=b&attr.a-in=ba&attr.a-in=ﬁ&attr.a-in="
                + smile
                + "&attr.a-in="
                + grin);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "attr.a-in=%61|attr.a-in=a",
        "attr.a-in=%4|attr.a-in=%254",
        "attr.a-in=4%|attr.a-in=4%25",
        "attr.a-in=100%25|attr.a-in=100%25",
        "text=b&text=a&text=b|text=a&text=b",
        "attr.a-from=1&attr.a-to=2&attr.a-in=x|attr.a-from=1&attr.a-in=x&attr.a-to=2",
        "attr.a-from=0.50&photos=true|attr.a-from=0.5&photos=true",
        "attr.a-to=-0.000&photos=true|attr.a-to=0&photos=true",
      })
  void ofCanonical_otherSpelling_isTheCanonicalOne(String text, String canonical) {
    assertThat(Query.ofCanonical(text).canonical()).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "category",
        "=cars",
        "category=cars&&photos=true",
        "colour=red",
        "attr.year=2015",
        "year-from=2015",
        "price-from=5",
        "price-to=5"
      })
  void ofCanonical_malformed_isRefused(String text) {
    assertThatThrownBy(() -> Query.ofCanonical(text)).isInstanceOf(InvalidQuery.class);
  }
}
