package dev.torg.matching.text;

import java.text.Normalizer;

/// Splits a text into its runs of letters and numbers, lower-cased, `ё` as `е`, one at a time in
/// `buffer`. Not thread-safe; created per text.
final class Scanner {
  /// Longer words are truncated: users do not type them, and a cache must not hold them.
  static final int MAX_TOKEN_LENGTH = 64;

  /// Characters held in the packed numbers.
  static final int PACKED = 12;

  private static final byte BREAK = 0;
  private static final byte LETTER = 1;
  private static final byte DIGIT = 2;
  private static final byte SKIP = 3;

  /// Latin, Greek and Cyrillic by table; other characters by `Character`.
  private static final int TABLE = 0x530;

  private static final byte[] CLASSES = new byte[TABLE];
  private static final char[] LOWER = new char[TABLE];

  static {
    for (char c = 0; c < TABLE; c++) {
      CLASSES[c] = classify(c);
      LOWER[c] = lower(c);
    }
  }

  final char[] buffer = new char[MAX_TOKEN_LENGTH];
  int length;
  int hash;

  /// The first twelve characters, four a number: enough to compare most words.
  long first;

  long second;
  long third;

  int start;
  int end;

  private final char[] text;
  private int at;

  Scanner(String source) {
    this.text = composed(source).toCharArray();
  }

  /// Letters typed as base and accent (`и` + breve) become one; almost no text has them, so it is checked
  /// first.
  private static String composed(String source) {
    for (int i = 0; i < source.length(); i++) {
      char c = source.charAt(i);
      if (c >= 0x300 && c <= 0x36F) {
        return Normalizer.normalize(source, Normalizer.Form.NFC);
      }
    }
    return source;
  }

  boolean next() {
    while (at < text.length) {
      byte kind = kind(at);
      if (kind == LETTER) {
        return letters();
      }
      if (kind == DIGIT) {
        return digits();
      }
      at++;
    }
    return false;
  }

  boolean isNumber() {
    return buffer[0] <= '9' && buffer[0] >= '0';
  }

  private boolean letters() {
    begin();
    while (at < text.length) {
      byte kind = kind(at);
      if (kind == LETTER) {
        append(lowered(text[at]));
      } else if (kind != SKIP) {
        break;
      }
      at++;
    }
    end = at;
    skipPossessive();
    return true;
  }

  private boolean digits() {
    begin();
    boolean point = false;
    boolean grouped = false;
    while (at < text.length) {
      byte kind = kind(at);
      if (kind == DIGIT) {
        append((char) ('0' + Character.digit(text[at], 10)));
      } else if (!point && isGroup(grouped)) {
        grouped = true;
      } else if (!point && isPoint()) {
        point = true;
        append('.');
      } else if (kind != SKIP) {
        break;
      }
      at++;
    }
    end = at;
    return true;
  }

  private void begin() {
    start = at;
    length = 0;
    hash = 0;
    first = 0;
    second = 0;
    third = 0;
  }

  private void append(char c) {
    if (length < MAX_TOKEN_LENGTH) {
      if (length < 4) {
        first = first << 16 | c;
      } else if (length < 8) {
        second = second << 16 | c;
      } else if (length < PACKED) {
        third = third << 16 | c;
      }
      buffer[length++] = c;
      hash = hash * 31 + c;
    }
  }

  /// `1,500` and `100 000` with a no-break space: a separator with exactly three digits after it, at most three before.
  private boolean isGroup(boolean grouped) {
    char c = text[at];
    boolean separator = c == ',' || c == '\u00A0' || c == '\u202F';
    return separator
        && (grouped || length <= 3)
        && isDigit(at + 1)
        && isDigit(at + 2)
        && isDigit(at + 3)
        && !isDigit(at + 4);
  }

  private boolean isPoint() {
    return (text[at] == '.' || text[at] == ',') && isDigit(at + 1);
  }

  private boolean isDigit(int index) {
    return index < text.length && index >= 0 && kind(index) == DIGIT;
  }

  private void skipPossessive() {
    boolean apostrophe = at + 1 < text.length && (text[at] == '\'' || text[at] == '\u2019');
    if (apostrophe
        && lowered(text[at + 1]) == 's'
        && (at + 2 == text.length || kind(at + 2) != LETTER)) {
      at += 2;
    }
  }

  private byte kind(int index) {
    char c = text[index];
    if (c < TABLE) {
      return CLASSES[c];
    }
    if (Character.isHighSurrogate(c) || Character.isLowSurrogate(c)) {
      return Character.isLetter(codePointAround(index)) ? LETTER : BREAK;
    }
    return classify(c);
  }

  private int codePointAround(int index) {
    int first = Character.isLowSurrogate(text[index]) && index > 0 ? index - 1 : index;
    return Character.codePointAt(text, first);
  }

  private static byte classify(char c) {
    return switch (Character.getType(c)) {
      case Character.UPPERCASE_LETTER,
          Character.LOWERCASE_LETTER,
          Character.TITLECASE_LETTER,
          Character.MODIFIER_LETTER,
          Character.OTHER_LETTER ->
          LETTER;
      case Character.DECIMAL_DIGIT_NUMBER -> DIGIT;
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> SKIP;
      default -> BREAK;
    };
  }

  private static char lowered(char c) {
    return c < TABLE ? LOWER[c] : lower(c);
  }

  private static char lower(char c) {
    char lower = Character.toLowerCase(c);
    return lower == 'ё' ? 'е' : lower;
  }
}
