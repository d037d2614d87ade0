package dev.torg.matching.text;

import dev.torg.matching.feature.Feature;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Text → words, the same for registration, matching and search. Thread-safe, and cheap for cached words.
public final class TextAnalysis {
  /// Raised whenever the same text may give other words: stored stems are then invalid.
  public static final String VERSION = "1/snowball-10.3.0";

  private static final StemCache CACHE = new StemCache();

  private TextAnalysis() {}

  /// The words of a text in their order.
  public static Feature[] words(String text) {
    Scanner scanner = new Scanner(text);
    WordBatch batch = new WordBatch(CACHE);
    Feature[] words = new Feature[Math.max(8, text.length() / 5)];
    int count = 0;
    while (batch.next(scanner)) {
      if (count + 2 * batch.size() > words.length) {
        words = Arrays.copyOf(words, 2 * (count + batch.size()));
      }
      for (int i = 0; i < batch.size(); i++) {
        StemCache.Entry entry = batch.entry(i);
        words[count++] = entry.stem();
        if (entry.second() != null) {
          words[count++] = entry.second();
        }
      }
    }
    return Arrays.copyOf(words, count);
  }

  /// The words of a text as stems.
  public static List<String> stems(String text) {
    return Stream.of(words(text)).map(Feature::text).toList();
  }

  /// True for a number and the unit that belongs to it: `100` and `km`.
  public static boolean isNumberWithUnit(String number, String unit) {
    return Character.isDigit(number.charAt(0)) && Stems.isUnit(unit);
  }

  static StemCache.Entry entry(Scanner scanner) {
    return CACHE.get(scanner);
  }
}
