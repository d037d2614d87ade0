package dev.torg.offers.category;

import dev.torg.offers.category.AttributeSchema.Type;
import dev.torg.platform.yaml.YamlErrors;
import dev.torg.platform.yaml.YamlMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/// Reads one attribute's schema from the category file.
final class AttributeYaml {
  private static final Pattern KEY = Pattern.compile("[a-z][A-Za-z0-9]{0,39}");
  private static final Pattern VALUE = Pattern.compile("[a-z0-9]+([-_.][a-z0-9]+)*");

  private AttributeYaml() {}

  static AttributeSchema read(YamlMap node, YamlErrors errors) {
    String key = node.text("key").orElse("");
    if (!KEY.matcher(key).matches()) {
      errors.add(node.at("key"), "must be camelCase, at most 40 letters and digits");
    }
    Type type = type(node, errors);
    AttributeSchema schema =
        new AttributeSchema(
            key,
            node.names("names"),
            type,
            node.flag("required", false),
            node.flag("filterable", true),
            node.text("unit").orElse(""),
            node.number("min"),
            node.number("max"),
            values(node, errors));
    node.refuseOthers();
    check(schema, node, errors);
    return schema;
  }

  private static Type type(YamlMap node, YamlErrors errors) {
    String name = node.text("type").orElse("");
    for (Type type : Type.values()) {
      if (type.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(name)) {
        return type;
      }
    }
    errors.add(node.at("type"), "must be text, integer, decimal, boolean, enum or multi-enum");
    return Type.TEXT;
  }

  private static Map<String, Map<String, String>> values(YamlMap node, YamlErrors errors) {
    Map<String, Map<String, String>> values = new LinkedHashMap<>();
    YamlMap names = node.map("values");
    for (String value : names.keys()) {
      if (!VALUE.matcher(value).matches()) {
        errors.add(names.at(value), "must be lower-case words joined by dashes");
      }
      values.put(value, names.names(value));
    }
    return values;
  }

  private static void check(AttributeSchema schema, YamlMap node, YamlErrors errors) {
    if (schema.type().hasValues() == schema.values().isEmpty()) {
      errors.add(node.at("values"), "are what enum and multi-enum need, and only they");
    }
    boolean bounded = schema.min().isPresent() || schema.max().isPresent();
    if (bounded && !schema.type().hasRange()) {
      errors.add(node.at("min"), "min and max are for text, integer and decimal");
    }
    if (bounded && least(schema.min()) > maxOrInfinity(schema.max())) {
      errors.add(node.at("min"), "is above max");
    }
  }

  private static double least(OptionalDouble min) {
    return min.orElse(Double.NEGATIVE_INFINITY);
  }

  private static double maxOrInfinity(OptionalDouble max) {
    return max.orElse(Double.POSITIVE_INFINITY);
  }
}
