package dev.torg.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchTextTest {
  /// A line, and what it requires and excludes; several words or phrases are separated by commas.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      nullValues = "none",
      value = {
        // line              | words    | phrases         | excluded words | excluded phrases
        "red car             | car,red  | ''              | ''             | ''",
        "red  \"car\"        | car,red  | ''              | ''             | ''",
        "\"red car\" old     | old      | red car         | ''             | ''",
        "\"red car\"old      | old      | red car         | ''             | ''",
        "old\"red car\"      | old      | red car         | ''             | ''",
        "“red car”           | ''       | red car         | ''             | ''",
        "„red car”           | ''       | red car         | ''             | ''",
        "«red car»           | ''       | red car         | ''             | ''",
        "\"red car           | ''       | red car         | ''             | ''",
        "\"\" red            | red      | ''              | ''             | ''",
        "red -old            | red      | ''              | old            | ''",
        "red −old            | red      | ''              | old            | ''",
        "red –old            | red      | ''              | old            | ''",
        "red -\"old\"        | red      | ''              | old            | ''",
        "red -\"very old\"   | red      | ''              | ''             | veri old",
        "red -wi-fi          | red      | ''              | ''             | wi fi",
        "red - old           | old,red  | ''              | ''             | ''",
        "red -               | red      | ''              | ''             | ''",
        "-                   | ''       | ''              | ''             | ''",
        "red -\"             | red      | ''              | ''             | ''",
        "100 km              | ''       | 100 km          | ''             | ''",
        "100 km red          | red      | 100 km          | ''             | ''",
        "100 km 5 kg         | ''       | 100 km,5 kg     | ''             | ''",
        "100 km km           | km       | 100 km          | ''             | ''",
        "km 100              | 100,km   | ''              | ''             | ''",
        "100 red             | 100,red  | ''              | ''             | ''",
        "5 100 km            | 5        | 100 km          | ''             | ''",
        "100 -km             | 100      | ''              | km             | ''",
        "-100 km             | km       | ''              | 100            | ''",
        "\"100\" km          | 100,km   | ''              | ''             | ''",
        "100 \"km\"          | 100,km   | ''              | ''             | ''",
      })
  void parse_lineOfAUser_separatesItsParts(
      String line, String words, String phrases, String excludedWords, String excludedPhrases) {
    SearchText text = SearchText.parse(line);

    assertThat(joined(text.words())).as("words").isEqualTo(words);
    assertThat(joined(text.phrases())).as("phrases").isEqualTo(phrases);
    assertThat(joined(text.excludedWords())).as("excluded words").isEqualTo(excludedWords);
    assertThat(joined(text.excludedPhrases())).as("excluded phrases").isEqualTo(excludedPhrases);
  }

  private static String joined(SortedSet<String> values) {
    return String.join(",", values);
  }
}
