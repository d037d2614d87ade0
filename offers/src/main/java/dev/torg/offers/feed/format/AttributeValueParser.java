package dev.torg.offers.feed.format;

import com.google.protobuf.ListValue;
import com.google.protobuf.Value;
import dev.torg.offers.category.AttributeSchema;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Parses attribute values of formats that only have text. Text that does not match the type of the
/// schema stays text and is refused by the category's rules.
final class AttributeValueParser {
  private static final Set<String> YES = Set.of("true", "yes", "1", "да", "есть", "y");
  private static final Set<String> NO = Set.of("false", "no", "0", "нет", "n");

  private static final int MAX_VALUES = 500;

  private AttributeValueParser() {}

  static Value of(Optional<AttributeSchema> schema, String text) {
    return schema.map(attribute -> of(attribute, text)).orElseGet(() -> string(text));
  }

  private static Value of(AttributeSchema schema, String text) {
    return switch (schema.type()) {
      case TEXT -> string(text);
      case INTEGER, DECIMAL -> number(text);
      case BOOLEAN -> bool(text);
      case ENUM -> string(named(schema, text));
      case MULTI_ENUM -> list(schema, text);
    };
  }

  private static Value number(String text) {
    String plain = text.replaceAll("[\\s\\u00a0]", "").replace(',', '.');
    try {
      double number = Double.parseDouble(plain);
      return Double.isFinite(number)
          ? Value.newBuilder().setNumberValue(number).build()
          : string(text);
    } catch (NumberFormatException e) {
      return string(text);
    }
  }

  private static Value bool(String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    return YES.contains(word) || NO.contains(word)
        ? Value.newBuilder().setBoolValue(YES.contains(word)).build()
        : string(text);
  }

  /// Values are separated by commas or bars. Text beyond the maximum number of values becomes one invalid
  /// value.
  private static Value list(AttributeSchema schema, String text) {
    ListValue.Builder list = ListValue.newBuilder();
    for (String part : text.split("[,|]", MAX_VALUES)) {
      if (!part.isBlank()) {
        list.addValues(string(named(schema, part)));
      }
    }
    return Value.newBuilder().setListValue(list).build();
  }

  /// Finds a value by its id or by its name in any language.
  private static String named(AttributeSchema schema, String text) {
    String word = text.strip();
    for (Map.Entry<String, Map<String, String>> value : schema.values().entrySet()) {
      if (value.getKey().equalsIgnoreCase(word)
          || value.getValue().values().stream().anyMatch(word::equalsIgnoreCase)) {
        return value.getKey();
      }
    }
    return word;
  }

  private static Value string(String text) {
    return Value.newBuilder().setStringValue(text.strip()).build();
  }
}
