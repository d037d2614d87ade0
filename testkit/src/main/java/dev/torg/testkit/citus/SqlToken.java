package dev.torg.testkit.citus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A part of a statement: a word, a number, a string, a sign, a parameter, or a group in parentheses.
///
/// @param text in lower case; a string is `'`, a parameter `?`, a group `()`
/// @param parameter the number of a parameter, from 1
record SqlToken(String text, int parameter, List<SqlToken> group) {
  private static final Pattern TOKEN =
      Pattern.compile(
          "--[^\\n]*|'(?:[^']|'')*'|\"[^\"]*\"|[A-Za-z_][A-Za-z_0-9]*|\\d+|::|<>|<=|>=|\\|\\||\\S");

  private static final String GROUP = "()";

  boolean is(String word) {
    return text.equals(word);
  }

  boolean isWord() {
    return Character.isLetter(text.charAt(0)) || text.charAt(0) == '_';
  }

  boolean isParameter() {
    return parameter > 0;
  }

  boolean isGroup() {
    return text.equals(GROUP);
  }

  static List<SqlToken> parse(String sql) {
    return new Reader(sql).read();
  }

  private static final class Reader {
    private final Matcher matcher;
    private int parameters;

    Reader(String sql) {
      this.matcher = TOKEN.matcher(sql);
    }

    /// Up to the closing parenthesis or the end.
    List<SqlToken> read() {
      List<SqlToken> tokens = new ArrayList<>();
      while (matcher.find()) {
        String text = matcher.group();
        switch (text.charAt(0)) {
          case ')' -> {
            return List.copyOf(tokens);
          }
          case '(' -> tokens.add(new SqlToken(GROUP, 0, read()));
          case '?' -> tokens.add(new SqlToken("?", ++parameters, List.of()));
          case '\'' -> tokens.add(new SqlToken("'", 0, List.of()));
          default -> {
            if (!text.startsWith("--")) {
              tokens.add(new SqlToken(text.toLowerCase(Locale.ROOT), 0, List.of()));
            }
          }
        }
      }
      return List.copyOf(tokens);
    }
  }
}
