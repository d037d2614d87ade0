package dev.torg.server.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.torg.platform.Failure.Violation;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Describes where and why a text is not JSON. The parser's own messages name its classes and change with its
/// versions.
final class JsonSyntax {
  private static final String DUPLICATE = "Duplicate field";

  private JsonSyntax() {}

  static Violation fault(IOException thrown) {
    if (!(thrown instanceof JsonProcessingException syntax)) {
      return new Violation("", "cannot be read");
    }
    return new Violation(path(syntax), description(syntax) + location(syntax.getLocation()));
  }

  private static String description(JsonProcessingException syntax) {
    return switch (syntax) {
      case JsonEOFException _ -> "ends too early";
      case StreamConstraintsException _ -> "is nested too deeply, too long or of too many values";
      case MismatchedInputException _ -> "has something after its end";
      default ->
          String.valueOf(syntax.getOriginalMessage()).startsWith(DUPLICATE)
              ? "has a name that is given twice"
              : "is not JSON";
    };
  }

  private static String location(@Nullable JsonLocation at) {
    return at == null ? "" : ", line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
  }

  /// The path up to the error: `offer.attributes`, `ids[3]`.
  private static String path(JsonProcessingException syntax) {
    if (!(syntax.getProcessor() instanceof JsonParser parser)) {
      return "";
    }
    StringBuilder path = new StringBuilder();
    for (JsonStreamContext at = parser.getParsingContext(); at != null; at = at.getParent()) {
      path.insert(0, step(at));
    }
    return path.isEmpty() || path.charAt(0) != '.' ? path.toString() : path.substring(1);
  }

  private static String step(JsonStreamContext at) {
    if (at.inObject() && at.getCurrentName() != null) {
      return "." + at.getCurrentName();
    }
    return at.inArray() && at.hasCurrentIndex() ? "[" + at.getCurrentIndex() + "]" : "";
  }
}
