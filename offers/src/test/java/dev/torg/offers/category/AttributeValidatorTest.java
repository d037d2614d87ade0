package dev.torg.offers.category;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.torg.offers.category.AttributeSchema.Type;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AttributeValidatorTest {
  private static final Map<String, AttributeSchema> SCHEMA =
      schemas(
          schema("name", Type.TEXT, 2, 5),
          schema("note", Type.TEXT, null, null),
          schema("year", Type.INTEGER, 1900, 2100),
          schema("count", Type.INTEGER, null, null),
          schema("area", Type.DECIMAL, 0.5, 10),
          schema("sound", Type.BOOLEAN, null, null),
          schema("fuel", Type.ENUM, null, null),
          schema("extras", Type.MULTI_ENUM, null, null));

  private static final double LARGEST_INTEGER = 9_007_199_254_740_992d;

  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of("name", text("ab"), ""),
        Arguments.of("name", text("abcde"), ""),
        Arguments.of("name", text("a"), "must have at least 2 characters"),
        Arguments.of("name", text("abcdef"), "must have at most 5 characters"),
        Arguments.of("name", text("😀😀😀😀😀"), ""),
        Arguments.of("name", text("😀😀😀😀😀😀"), "must have at most 5 characters"),
        Arguments.of("name", text("   "), "must not be empty"),
        Arguments.of(
            "name", text("a\u0001b"), "must not contain control characters or broken Unicode"),
        Arguments.of("name", number(12), "must be text"),
        Arguments.of("note", text("n".repeat(1_000)), ""),
        Arguments.of("note", text("n".repeat(1_001)), "must have at most 1000 characters"),
        Arguments.of("year", number(1900), ""),
        Arguments.of("year", number(2100), ""),
        Arguments.of("year", number(1899), "must be at least 1900"),
        Arguments.of("year", number(2101), "must be at most 2100"),
        Arguments.of("year", number(2000.5), "must be an integer"),
        Arguments.of("year", text("2000"), "must be an integer"),
        Arguments.of("count", number(LARGEST_INTEGER), ""),
        Arguments.of("count", number(-LARGEST_INTEGER), ""),
        Arguments.of("count", number(LARGEST_INTEGER * 2), "must be an integer"),
        Arguments.of("count", number(Double.NaN), "must be an integer"),
        Arguments.of("area", number(0.5), ""),
        Arguments.of("area", number(10), ""),
        Arguments.of("area", number(0.49), "must be at least 0.5"),
        Arguments.of("area", number(10.01), "must be at most 10"),
        Arguments.of("area", number(Double.NEGATIVE_INFINITY), "must be a number"),
        Arguments.of("area", bool(true), "must be a number"),
        Arguments.of("sound", bool(false), ""),
        Arguments.of("sound", number(1), "must be true or false"),
        Arguments.of("fuel", text("petrol"), ""),
        Arguments.of("fuel", text("PETROL"), "must be one of [petrol, diesel]"),
        Arguments.of("fuel", list(text("petrol")), "must be one of [petrol, diesel]"),
        Arguments.of("extras", list(), ""),
        Arguments.of("extras", list(text("diesel"), text("petrol")), ""),
        Arguments.of("extras", list(text("petrol"), text("petrol")), DIFFERENT),
        Arguments.of("extras", list(text("petrol"), number(1)), DIFFERENT),
        Arguments.of("extras", text("petrol"), DIFFERENT),
        Arguments.of("other", text("x"), "is not known in category things"));
  }

  private static final String DIFFERENT =
      "must be a list of different values out of [petrol, diesel]";

  @ParameterizedTest
  @MethodSource("values")
  void check_valueByType(String key, Value value, String expected) {
    assertThat(violations(SCHEMA, Map.of(key, value)))
        .isEqualTo(expected.isEmpty() ? List.of() : List.of("attributes." + key + " " + expected));
  }

  @Test
  void check_requiredAttributeMissing_isAViolation() {
    AttributeSchema required =
        new AttributeSchema(
            "brand",
            Map.of(),
            Type.TEXT,
            true,
            true,
            "",
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            Map.of());
    Map<String, AttributeSchema> schema = Map.of("brand", required);
    assertThat(violations(schema, Map.of())).containsExactly("attributes.brand is required");
    assertThat(violations(schema, Map.of("brand", text("audi")))).isEmpty();
    assertThat(violations(schema, Map.of("brand", number(1))))
        .containsExactly("attributes.brand must be text");
  }

  static Stream<Arguments> draftValues() {
    String unreadable = "must not contain control characters or broken Unicode";
    String kind = "must be text, a number, a boolean or a list of texts";
    return Stream.of(
        Arguments.of(text("any"), ""),
        Arguments.of(text("a\u0000"), unreadable),
        Arguments.of(text("n".repeat(40_001)), "must have at most 40000 characters"),
        Arguments.of(number(Double.NaN), ""),
        Arguments.of(bool(true), ""),
        Arguments.of(Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build(), ""),
        Arguments.of(list(text("a"), text("b\u0000")), unreadable),
        Arguments.of(list(struct()), kind),
        Arguments.of(struct(), kind),
        Arguments.of(Value.getDefaultInstance(), kind));
  }

  /// A draft's attributes need no schema.
  @ParameterizedTest
  @MethodSource("draftValues")
  void readable_valueOfADraft(Value value, String expected) {
    Violations violations = new Violations("");
    AttributeValidator.readable("key", value, violations);
    assertThat(messages(violations))
        .isEqualTo(expected.isEmpty() ? List.of() : List.of("attributes.key " + expected));
  }

  @Test
  void violations_beyondAHundred_areExcluded() {
    Map<String, Value> attributes = new LinkedHashMap<>();
    for (int i = 0; i < 150; i++) {
      attributes.put("unknown" + i, text("x"));
    }
    assertThat(violations(SCHEMA, attributes)).hasSize(100);
  }

  private static List<String> violations(
      Map<String, AttributeSchema> schema, Map<String, Value> attributes) {
    CategoryNode category =
        new CategoryNode("things", Optional.empty(), Map.of(), schema, List.of(), false, false);
    Violations violations = new Violations("");
    new AttributeValidator(category, violations).check(attributes);
    return messages(violations);
  }

  private static List<String> messages(Violations violations) {
    try {
      violations.refuse();
      return List.of();
    } catch (Failure failure) {
      return failure.violations().stream().map(AttributeValidatorTest::message).toList();
    }
  }

  private static String message(Violation violation) {
    return violation.field() + " " + violation.message();
  }

  private static Map<String, AttributeSchema> schemas(AttributeSchema... schemas) {
    Map<String, AttributeSchema> byKey = new LinkedHashMap<>();
    Arrays.stream(schemas).forEach(schema -> byKey.put(schema.key(), schema));
    return byKey;
  }

  private static AttributeSchema schema(String key, Type type, Number min, Number max) {
    Map<String, Map<String, String>> values = new LinkedHashMap<>();
    if (type.hasValues()) {
      values.put("petrol", Map.of());
      values.put("diesel", Map.of());
    }
    return new AttributeSchema(
        key, Map.of(), type, false, true, "", bound(min), bound(max), values);
  }

  private static OptionalDouble bound(Number bound) {
    return bound == null ? OptionalDouble.empty() : OptionalDouble.of(bound.doubleValue());
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value number(double number) {
    return Value.newBuilder().setNumberValue(number).build();
  }

  private static Value bool(boolean bool) {
    return Value.newBuilder().setBoolValue(bool).build();
  }

  private static Value struct() {
    return Value.newBuilder().setStructValue(Struct.getDefaultInstance()).build();
  }

  private static Value list(Value... values) {
    ListValue.Builder list = ListValue.newBuilder().addAllValues(Arrays.asList(values));
    return Value.newBuilder().setListValue(list).build();
  }
}
