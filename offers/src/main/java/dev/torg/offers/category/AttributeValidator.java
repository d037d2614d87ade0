package dev.torg.offers.category;

import com.google.protobuf.Value;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Checks an offer's attributes against its category's schema.
final class AttributeValidator {
  /// Maximum length of a text attribute whose schema sets no other limit.
  private static final int MAX_TEXT = 1_000;

  /// Integers are sent as JSON numbers, which are exact only up to 2^53.
  private static final double MAX_INTEGER = 1L << 53;

  private final CategoryNode category;
  private final Violations violations;

  AttributeValidator(CategoryNode category, Violations violations) {
    this.category = category;
    this.violations = violations;
  }

  void check(Map<String, Value> attributes) {
    attributes.forEach(this::checkOne);
    for (AttributeSchema schema : category.attributes().values()) {
      if (schema.required() && !attributes.containsKey(schema.key())) {
        violations.add(path(schema), "is required");
      }
    }
  }

  /// Checks that apply to the attributes of a draft as well.
  static void readable(String key, Value value, Violations violations) {
    String path = "attributes." + key;
    switch (value.getKindCase()) {
      case STRING_VALUE ->
          violations.textUpTo(path, value.getStringValue(), OfferValidator.MAX_DESCRIPTION);
      case LIST_VALUE ->
          value.getListValue().getValuesList().forEach(item -> readable(key, item, violations));
      case NUMBER_VALUE, BOOL_VALUE, NULL_VALUE -> {}
      case STRUCT_VALUE, KIND_NOT_SET ->
          violations.add(path, "must be text, a number, a boolean or a list of texts");
    }
  }

  private void checkOne(String key, Value value) {
    AttributeSchema schema = category.attributes().get(key);
    if (schema == null) {
      violations.add("attributes." + key, "is not known in category " + category.id());
      return;
    }
    switch (schema.type()) {
      case TEXT -> checkText(schema, value);
      case INTEGER -> checkInteger(schema, value);
      case DECIMAL -> checkDecimal(schema, value);
      case BOOLEAN -> require(value.hasBoolValue(), schema, "must be true or false");
      case ENUM -> checkEnum(schema, value);
      case MULTI_ENUM -> checkMultiEnum(schema, value);
    }
  }

  private void checkText(AttributeSchema schema, Value value) {
    if (!value.hasStringValue()) {
      violations.add(path(schema), "must be text");
      return;
    }
    String text = value.getStringValue();
    require(!text.isBlank(), schema, "must not be empty");
    violations.textUpTo(path(schema), text, (int) schema.max().orElse(MAX_TEXT));
    if (schema.min().isPresent() && text.length() < schema.min().getAsDouble()) {
      violations.add(
          path(schema), "must have at least " + (int) schema.min().getAsDouble() + " characters");
    }
  }

  private void checkInteger(AttributeSchema schema, Value value) {
    double number = value.getNumberValue();
    boolean integer =
        value.hasNumberValue() && number == Math.rint(number) && Math.abs(number) <= MAX_INTEGER;
    require(integer, schema, "must be an integer");
    if (integer) {
      checkRange(schema, number);
    }
  }

  private void checkDecimal(AttributeSchema schema, Value value) {
    boolean decimal = value.hasNumberValue() && Double.isFinite(value.getNumberValue());
    require(decimal, schema, "must be a number");
    if (decimal) {
      checkRange(schema, value.getNumberValue());
    }
  }

  private void checkRange(AttributeSchema schema, double number) {
    if (number < schema.min().orElse(Double.NEGATIVE_INFINITY)) {
      violations.add(path(schema), "must be at least " + plain(schema.min().orElseThrow()));
    }
    if (number > schema.max().orElse(Double.POSITIVE_INFINITY)) {
      violations.add(path(schema), "must be at most " + plain(schema.max().orElseThrow()));
    }
  }

  private void checkEnum(AttributeSchema schema, Value value) {
    boolean allowed = value.hasStringValue() && schema.values().containsKey(value.getStringValue());
    require(allowed, schema, "must be one of " + schema.values().keySet());
  }

  private void checkMultiEnum(AttributeSchema schema, Value value) {
    Set<String> seen = new HashSet<>();
    boolean allowed = value.hasListValue();
    for (Value item : value.getListValue().getValuesList()) {
      allowed &=
          item.hasStringValue()
              && schema.values().containsKey(item.getStringValue())
              && seen.add(item.getStringValue());
    }
    require(
        allowed, schema, "must be a list of different values out of " + schema.values().keySet());
  }

  private void require(boolean retained, AttributeSchema schema, String message) {
    if (!retained) {
      violations.add(path(schema), message);
    }
  }

  private static String path(AttributeSchema schema) {
    return "attributes." + schema.key();
  }

  private static String plain(double bound) {
    return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
  }
}
