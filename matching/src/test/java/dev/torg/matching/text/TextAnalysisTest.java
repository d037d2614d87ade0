package dev.torg.matching.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.matching.Query;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextAnalysisTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ЁЛКА|елки",
        "Красный велосипед|красные велосипеды",
        "Cars|car",
        "Müller|muller",
        "за́мок|замок",
        "100km|100 km",
        "100 км|100km",
        "iPhone12|iphone 12",
        "Wi-Fi|wifi",
        "s-line|S line",
        "1,5 л|1.5 л",
        "1,500,000|1500000",
        "bob's car|bob car",
        "й|й",
        "\"(ok)!\"|ok"
      })
  void stems_writtenDifferently_areTheSame(String text, String other) {
    assertThat(TextAnalysis.stems(text)).isEqualTo(TextAnalysis.stems(other)).isNotEmpty();
  }

  @Test
  void stems_mixedLanguages_areStemmedEachInItsOwn() {
    assertThat(TextAnalysis.stems("Зимние шины Michelin, running shoes 3.5"))
        .containsExactly("зимн", "шин", "michelin", "run", "shoe", "3.5");
  }

  /// A separator groups thousands if exactly three digits follow it and at most three precede the first one;
  /// otherwise it is the decimal point, once.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,500|1500",
        "1,500,000|1500000",
        "100\u00A0000|100000",
        "100\u202F000|100000",
        "100 000|100 000",
        "1234,567|1234.567",
        "1,5|1.5",
        "1,50|1.50",
        "1,5000|1.5000",
        "1,500.25|1500.25",
        "1,500,25|1500.25",
        "1.500|1.500",
        "1.5,500|1.5 500",
        "1.5.6|1.5 6",
        "1.|1",
        "1. 5|1 5",
        "1,a|1 a",
        ".5|5",
        "\u0663\u0664|34",
        "12\u00AD34|1234",
      })
  void stems_number_isReadWithItsSeparators(String text, String expected) {
    assertThat(String.join(" ", TextAnalysis.stems(text))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bob's|bob",
        "bob’s|bob",
        "BOB'S car|bob car",
        "bob's,|bob",
        "bob'sx|bob sx",
        "bob't|bob t",
        "bob'|bob",
        "a 's|a s",
        "ve\u00ADlo|velo",
        "x\uD835\uDD04|x\uD835\uDD04",
        "x\uD83D\uDE00y|x y",
      })
  void stems_apostrophesAndMarks_endOrJoinWords(String text, String expected) {
    assertThat(String.join(" ", TextAnalysis.stems(text))).isEqualTo(expected);
  }

  /// The first twelve characters are compared as numbers, the others one by one.
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 5, 8, 9, 12, 13, 14, 40, 64})
  void stems_wordsThatDifferInTheLastLetter_areDifferent(int length) {
    String prefix = "z".repeat(length - 1);
    for (int repetition = 0; repetition < 2; repetition++) {
      assertThat(TextAnalysis.stems(prefix + "b " + prefix + "x " + prefix))
          .containsExactlyElementsOf(
              length == 1 ? List.of("b", "x") : List.of(prefix + "b", prefix + "x", prefix));
    }
  }

  @Test
  void stems_longWord_isTruncatedTo64Characters() {
    assertThat(TextAnalysis.stems("z".repeat(63) + "bx"))
        .isEqualTo(TextAnalysis.stems("z".repeat(63) + "by"))
        .containsExactly("z".repeat(63) + "b");
  }

  @Test
  void stems_noWords_isEmpty() {
    assertThat(TextAnalysis.stems(" -- ,.! ")).isEmpty();
  }

  @Test
  void text_wordsWithUnitsAndHyphens_requireAdjacentWords() {
    assertThat(Query.builder().text("100km").build())
        .isEqualTo(Query.builder().text("100 КМ").build());
    assertThat(Query.builder().text("wi-fi роутер").build().phrases()).containsExactly("wi fi");
    assertThat(Query.builder().text("wi-fi роутер").build().words()).containsExactly("роутер");
    assertThat(Query.builder().text("a -b-c").build().excludedPhrases()).containsExactly("b c");
    assertThat(Query.builder().text("«new bike» - \"open end").build().phrases())
        .containsExactly("new bike", "open end");
  }

  @Test
  void analyzer_anyText_returnsTheSameWords() throws Exception {
    Random random = new Random(7);
    String alphabet = "abС ёÉ1.,5-'s \u00A0км\u0301ß\uD835\uDD04x";
    for (int i = 0; i < 2_000; i++) {
      StringBuilder text = new StringBuilder();
      random
          .ints(random.nextInt(40), 0, alphabet.length())
          .forEach(at -> text.append(alphabet.charAt(at)));
      assertThat(lucene(text.toString())).isEqualTo(TextAnalysis.stems(text.toString()));
    }
  }

  private static List<String> lucene(String text) throws Exception {
    List<String> terms = new ArrayList<>();
    try (OfferAnalyzer analyzer = new OfferAnalyzer();
        TokenStream stream = analyzer.tokenStream("text", new StringReader(text))) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        terms.add(term.toString());
      }
      stream.end();
    }
    return terms;
  }

  /// More words than a batch and than a bucket, shorter and longer than what is packed, many of them repeated.
  @Test
  void words_manyTogether_areEachWhatTheyAreAlone() {
    Random random = new Random(11);
    List<String> text = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      String word = random.nextInt(50) == 0 ? "wifi" : letters(random);
      text.add(word);
      expected.addAll(Stems.of(word));
    }
    assertThat(TextAnalysis.stems(String.join(" ", text))).isEqualTo(expected);
  }

  private static String letters(Random random) {
    StringBuilder word = new StringBuilder();
    int length = 1 + random.nextInt(1 + random.nextInt(20));
    for (int i = 0; i < length; i++) {
      word.append((char) ((length % 2 == 0 ? 'a' : 'а') + random.nextInt(4)));
    }
    return word.toString();
  }
}
