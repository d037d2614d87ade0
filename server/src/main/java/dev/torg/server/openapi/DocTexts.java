package dev.torg.server.openapi;

import dev.torg.api.v1.CallerKind;
import dev.torg.server.access.CallerPolicy;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Splits comments into summary and description, and phrases what the document derives from
/// declarations.
final class DocTexts {
  private static final Pattern FIRST_SENTENCE =
      Pattern.compile("^(.*?)\\.(?:\\s+(?=[A-Z`])(.*))?$", Pattern.DOTALL);

  private DocTexts() {}

  /// The first sentence, without its full stop.
  static String summary(String comment) {
    Matcher sentence = FIRST_SENTENCE.matcher(comment);
    return sentence.matches() ? sentence.group(1) : comment;
  }

  /// What follows the first sentence.
  static String description(String comment) {
    Matcher sentence = FIRST_SENTENCE.matcher(comment);
    return sentence.matches() && sentence.group(2) != null ? sentence.group(2).strip() : "";
  }

  static String paragraphs(String... texts) {
    return Stream.of(texts).filter(text -> !text.isEmpty()).collect(Collectors.joining("\n\n"));
  }

  static String access(CallerPolicy callers) {
    List<CallerKind> declared = callers.declared();
    if (declared.contains(CallerKind.ANYONE)) {
      return "No token is needed.";
    }
    if (declared.contains(CallerKind.ANY_TOKEN)) {
      return "Requires a token; an anonymous one is enough.";
    }
    if (declared.contains(CallerKind.USER)) {
      return "Requires the token of a logged-in user or of a service.";
    }
    return "Requires a token with role "
        + declared.stream()
            .map(caller -> caller.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(" or "))
        + ".";
  }
}
