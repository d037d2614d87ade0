package dev.torg.matching.text;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.tartarus.snowball.SnowballStemmer;
import org.tartarus.snowball.ext.EnglishStemmer;
import org.tartarus.snowball.ext.RussianStemmer;

/// Reduces one scanned word to its stems: accents folded, units normalized, Snowball by script. One stem, or
/// two for a word that is also written with a hyphen.
final class Stems {
  /// Units people write in either alphabet.
  private static final Map<String, String> UNITS =
      Map.ofEntries(
          Map.entry("км", "km"),
          Map.entry("кг", "kg"),
          Map.entry("см", "cm"),
          Map.entry("мм", "mm"),
          Map.entry("мл", "ml"),
          Map.entry("гб", "gb"),
          Map.entry("тб", "tb"),
          Map.entry("мб", "mb"),
          Map.entry("квт", "kw"),
          Map.entry("вт", "w"),
          Map.entry("гц", "hz"),
          Map.entry("мгц", "mhz"),
          Map.entry("ггц", "ghz"),
          Map.entry("мач", "mah"),
          Map.entry("лс", "hp"),
          Map.entry("шт", "pcs"));

  /// Words written as one or with a hyphen.
  private static final Map<String, List<String>> TOGETHER =
      Map.of(
          "wifi",
          List.of("wi", "fi"),
          "email",
          List.of("e", "mail"),
          "tshirt",
          List.of("t", "shirt"));

  /// What follows a number closely enough to belong to it.
  private static final Set<String> AFTER_NUMBER =
      Set.of(
          "km", "kg", "cm", "mm", "ml", "gb", "tb", "mb", "kw", "w", "hz", "mhz", "ghz", "mah",
          "hp", "ps", "pcs", "m", "g", "l", "v", "t", "м", "г", "л", "в", "т");

  private Stems() {}

  static List<String> of(String word) {
    List<String> parts = TOGETHER.get(word);
    return parts != null ? parts : List.of(stem(word));
  }

  static boolean isUnit(String stem) {
    return AFTER_NUMBER.contains(stem);
  }

  private static String stem(String word) {
    String unit = UNITS.get(word);
    if (unit != null || Character.isDigit(word.charAt(0))) {
      return unit != null ? unit : word;
    }
    String folded = fold(word);
    return switch (Character.UnicodeScript.of(folded.codePointAt(0))) {
      case CYRILLIC -> stem(new RussianStemmer(), folded);
      case LATIN -> isUnit(folded) ? folded : stem(new EnglishStemmer(), folded);
      default -> folded;
    };
  }

  /// Only Latin letters with accents need it.
  private static String fold(String word) {
    if (word.chars().noneMatch(c -> c >= 0x80 && (c < 0x250 || c >= 0x1E00))) {
      return word;
    }
    char[] in = word.toCharArray();
    char[] out = new char[in.length * 4];
    int length = ASCIIFoldingFilter.foldToASCII(in, 0, out, 0, in.length);
    return new String(out, 0, length);
  }

  private static String stem(SnowballStemmer stemmer, String word) {
    stemmer.setCurrent(word);
    stemmer.stem();
    return stemmer.getCurrent();
  }
}
