package dev.torg.notifications.content;

import java.util.Optional;

/// Which texts people may be shown: bounded, without control characters, and without characters that change the
/// direction of the text around them, by which one text can pose as another.
///
/// @param multiline whether line breaks and tabs are allowed
public record TextRule(int maxLength, boolean multiline) {
  /// What is wrong with the text.
  public Optional<String> problem(String text) {
    if (text.codePointCount(0, text.length()) > maxLength) {
      return Optional.of("must have at most " + maxLength + " characters");
    }
    return text.codePoints().anyMatch(this::isForbidden)
        ? Optional.of("must not contain control characters or bidirectional overrides")
        : Optional.empty();
  }

  private boolean isForbidden(int codePoint) {
    if (codePoint == '\n' || codePoint == '\r' || codePoint == '\t') {
      return !multiline;
    }
    return Character.isISOControl(codePoint)
        || isSurrogate(codePoint)
        || isLineSeparator(codePoint)
        || isBidirectionalOverride(codePoint);
  }

  private static boolean isSurrogate(int codePoint) {
    return Character.getType(codePoint) == Character.SURROGATE;
  }

  private static boolean isLineSeparator(int codePoint) {
    return codePoint == 0x2028 || codePoint == 0x2029;
  }

  /// Embeddings, overrides and isolates. Marks, which change only their own direction, are allowed.
  private static boolean isBidirectionalOverride(int codePoint) {
    return (codePoint >= 0x202A && codePoint <= 0x202E)
        || (codePoint >= 0x2066 && codePoint <= 0x2069);
  }
}
