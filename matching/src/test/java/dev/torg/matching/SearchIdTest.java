package dev.torg.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchIdTest {
  private static final String HEX = "2f14011bf9f6d5d37b4a7e1b6fc18d74b048abc2";

  @Test
  void parse_hex_isReadBackEqual() {
    SearchId id = SearchId.parse(HEX);

    assertThat(id.hex()).isEqualTo(HEX);
    assertThat(id).hasToString(HEX);
    assertThat(SearchId.of(id.bytes())).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2f14011bf9f6d5d37b4a7e1b6fc18d74b048ab",
        "2f14011bf9f6d5d37b4a7e1b6fc18d74b048abc2ff",
        "zz14011bf9f6d5d37b4a7e1b6fc18d74b048abc2"
      })
  void parse_malformed_isRefusedByName(String text) {
    assertThatThrownBy(() -> SearchId.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a search id: " + text);
  }

  /// Each digit decides, and `f` sorts after `7`.
  @Test
  void compareTo_anyDigit_isTheOrderOfTheHexText() {
    List<String> sorted = new ArrayList<>();
    for (int at = 0; at < HEX.length(); at++) {
      for (String digit : List.of("0", "7", "8", "f")) {
        sorted.add(HEX.substring(0, at) + digit + HEX.substring(at + 1));
      }
    }
    Collections.sort(sorted);
    List<SearchId> ids = new ArrayList<>(sorted.stream().map(SearchId::parse).toList());
    Collections.shuffle(ids, new Random(1));

    assertThat(ids.stream().sorted().map(SearchId::hex)).isEqualTo(sorted);
    assertThat(ids.getFirst()).isEqualByComparingTo(SearchId.parse(ids.getFirst().hex()));
  }
}
