package dev.torg.offers.category;

import java.util.Map;
import java.util.OptionalDouble;

/// The rules of a category for one attribute. For text, `min` and `max` bound the length.
public record AttributeSchema(
    String key,
    Map<String, String> names,
    Type type,
    boolean required,
    boolean filterable,
    String unit,
    OptionalDouble min,
    OptionalDouble max,
    Map<String, Map<String, String>> values) {

  public enum Type {
    TEXT,
    INTEGER,
    DECIMAL,
    BOOLEAN,
    ENUM,
    MULTI_ENUM;

    public boolean hasValues() {
      return this == ENUM || this == MULTI_ENUM;
    }

    public boolean hasRange() {
      return this == TEXT || this == INTEGER || this == DECIMAL;
    }
  }
}
