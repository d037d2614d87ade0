package dev.torg.offers.category;

import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.util.ArrayList;
import java.util.List;

/// The violations found in a request, collected under one path.
public final class Violations {
  /// Limits the response to a request with thousands of violations.
  private static final int MAX_SHOWN = 100;

  private final String prefix;
  private final List<Violation> violations = new ArrayList<>();

  Violations(String prefix) {
    this.prefix = prefix;
  }

  /// An empty field refers to the object itself.
  void add(String field, String message) {
    if (violations.size() < MAX_SHOWN) {
      String path = field.isEmpty() ? prefix.substring(0, prefix.length() - 1) : prefix + field;
      violations.add(new Violation(path, message));
    }
  }

  /// Requires at most `max` characters and no control characters except line breaks and tabs.
  void textUpTo(String field, String text, int max) {
    if (text.length() > max && text.codePointCount(0, text.length()) > max) {
      add(field, "must have at most " + max + " characters");
    }
    if (!isReadable(text)) {
      add(field, "must not contain control characters or broken Unicode");
    }
  }

  /// Requires a single readable line.
  void line(String field, String text) {
    if (!isReadable(text) || text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
      add(field, "must be one line without control characters");
    }
  }

  void refuse() {
    if (!violations.isEmpty()) {
      throw Failure.invalid(
          "offer.invalid", "the offer breaks the rules of its category", violations);
    }
  }

  /// Whether the text has no control characters except line breaks and tabs, and no unpaired surrogates.
  public static boolean isReadable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' ? c != '\n' && c != '\r' && c != '\t' : c >= 0x7f && !isReadable(text, i)) {
        return false;
      }
    }
    return true;
  }

  /// Outside ASCII: no C1 controls, noncharacters or unpaired surrogates.
  private static boolean isReadable(String text, int i) {
    char c = text.charAt(i);
    if (c <= 0x9f || (c >= 0xfdd0 && c <= 0xfdef) || c >= 0xfffe) {
      return false;
    }
    if (Character.isHighSurrogate(c)) {
      return i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
    }
    return !Character.isLowSurrogate(c) || (i > 0 && Character.isHighSurrogate(text.charAt(i - 1)));
  }
}
