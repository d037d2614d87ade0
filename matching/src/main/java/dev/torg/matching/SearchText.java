package dev.torg.matching;

import dev.torg.matching.text.TextAnalysis;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// A search line as users type it: words all required, "a phrase" within title or description, -excluded word
/// or -"excluded phrase". A word that analysis splits into parts (`wi-fi`, `100km`) requires them next to each
/// other, and so does a number with its unit (`100 km`).
public record SearchText(
    SortedSet<String> words,
    SortedSet<String> phrases,
    SortedSet<String> excludedWords,
    SortedSet<String> excludedPhrases) {

  public static SearchText parse(String text) {
    SearchText result =
        new SearchText(new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
    for (Part part : joinUnits(parts(text))) {
      result.add(part);
    }
    return result;
  }

  private record Part(boolean excluded, boolean quoted, List<String> stems) {
    boolean isBareWord() {
      return !excluded && !quoted && stems.size() == 1;
    }
  }

  private void add(Part part) {
    String stems = String.join(" ", part.stems);
    boolean single = part.stems.size() == 1;
    if (part.excluded) {
      (single ? excludedWords : excludedPhrases).add(stems);
    } else {
      (single ? words : phrases).add(stems);
    }
  }

  private static List<Part> parts(String text) {
    List<Part> parts = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      if (Character.isWhitespace(text.charAt(at))) {
        at++;
        continue;
      }
      boolean excluded = isMinus(text.charAt(at)) && at + 1 < text.length();
      int start = excluded ? at + 1 : at;
      boolean quoted = isQuote(text.charAt(start));
      int end = quoted ? quoteAfter(text, start + 1) : spaceAfter(text, start);
      List<String> stems = TextAnalysis.stems(text.substring(quoted ? start + 1 : start, end));
      if (!stems.isEmpty()) {
        parts.add(new Part(excluded, quoted, stems));
      }
      at = quoted ? end + 1 : end;
    }
    return parts;
  }

  private static List<Part> joinUnits(List<Part> parts) {
    List<Part> joined = new ArrayList<>();
    for (Part part : parts) {
      Part last = joined.isEmpty() ? null : joined.getLast();
      if (last != null && belongsTo(last, part)) {
        joined.set(
            joined.size() - 1,
            new Part(false, false, List.of(last.stems.getFirst(), part.stems.getFirst())));
      } else {
        joined.add(part);
      }
    }
    return joined;
  }

  private static boolean belongsTo(Part number, Part unit) {
    return number.isBareWord()
        && unit.isBareWord()
        && TextAnalysis.isNumberWithUnit(number.stems.getFirst(), unit.stems.getFirst());
  }

  private static boolean isMinus(char c) {
    return c == '-' || c == '\u2212' || c == '\u2013';
  }

  private static boolean isQuote(char c) {
    return c == '"' || c == '\u201C' || c == '\u201D' || c == '\u201E' || c == '«' || c == '»';
  }

  private static int quoteAfter(String text, int from) {
    int at = from;
    while (at < text.length() && !isQuote(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static int spaceAfter(String text, int from) {
    int at = from;
    while (at < text.length()
        && !Character.isWhitespace(text.charAt(at))
        && !isQuote(text.charAt(at))) {
      at++;
    }
    return at;
  }
}
