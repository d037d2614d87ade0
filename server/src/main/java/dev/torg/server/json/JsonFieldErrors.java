package dev.torg.server.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.torg.platform.Failure.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds which fields make a JSON request unreadable, with their paths (`offer.attributes.year`, `ids[3]`).
///
/// Two passes share one walk over objects, lists and maps. The first checks the shape of every request: fields
/// are known, strings are where strings are expected. The second runs only after the protobuf library has
/// refused the whole, and lets that library check every single value again, so the rules for values are not
/// duplicated.
final class JsonFieldErrors {
  /// Enough to correct a request, not enough to flood a response.
  private static final int MAX_ERRORS = 20;

  /// Values that are checked one by one, each with a parser of its own. A request with more of them is only
  /// reported as unreadable.
  private static final int MAX_CHECKED_FIELDS = 1_000;

  private static final String WELL_KNOWN = "google.protobuf.";

  private final List<Violation> violations = new ArrayList<>();
  private final boolean judging;
  private int checkedFields;

  private JsonFieldErrors(boolean judging) {
    this.judging = judging;
  }

  static List<Violation> ofShape(ObjectNode json, Descriptor type) {
    JsonFieldErrors faults = new JsonFieldErrors(false);
    faults.walk("", json, type);
    return faults.violations;
  }

  static List<Violation> ofValues(ObjectNode json, Descriptor type) {
    JsonFieldErrors faults = new JsonFieldErrors(true);
    faults.walk("", json, type);
    return faults.violations;
  }

  private void walk(String path, ObjectNode object, Descriptor type) {
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (violations.size() >= MAX_ERRORS) {
        return;
      }
      FieldDescriptor field = field(type, entry.getKey());
      String fieldPath = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
      if (field == null) {
        violations.add(new Violation(fieldPath, "unknown field"));
      } else {
        walk(fieldPath, entry.getKey(), entry.getValue(), field);
      }
    }
  }

  private void walk(String path, String name, JsonNode value, FieldDescriptor field) {
    if (judging && !hasNested(field)) {
      check(path, name, value, field);
    } else if (value.isNull()) {
      return;
    } else if (field.isMapField()) {
      walkMap(path, value, field.getMessageType().findFieldByName("value"));
    } else if (field.isRepeated()) {
      walkList(path, value, field);
    } else {
      visit(path, value, field);
    }
  }

  private void walkMap(String path, JsonNode value, FieldDescriptor item) {
    if (value instanceof ObjectNode map) {
      for (Map.Entry<String, JsonNode> entry : map.properties()) {
        if (violations.size() >= MAX_ERRORS) {
          return;
        }
        visit(path + "." + entry.getKey(), entry.getValue(), item);
      }
    } else {
      violations.add(new Violation(path, "must be an object"));
    }
  }

  private void walkList(String path, JsonNode value, FieldDescriptor item) {
    if (value instanceof ArrayNode list) {
      for (int i = 0; i < list.size() && violations.size() < MAX_ERRORS; i++) {
        visit(path + "[" + i + "]", list.get(i), item);
      }
    } else {
      violations.add(new Violation(path, "must be a list"));
    }
  }

  private void visit(String path, JsonNode value, FieldDescriptor field) {
    if (hasNested(field)) {
      if (value instanceof ObjectNode object) {
        walk(path, object, field.getMessageType());
      } else {
        violations.add(new Violation(path, "must be an object"));
      }
      return;
    }
    String expected = expected(value, field);
    if (expected != null) {
      violations.add(new Violation(path, "must be " + expected));
    }
  }

  /// The expected kind of value, or null.
  private static @Nullable String expected(JsonNode value, FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case STRING -> value.isTextual() ? wholeText(value.textValue()) : "a string";
      case BYTE_STRING -> value.isTextual() ? null : "a base64 string";
      case BOOLEAN -> value.isBoolean() ? null : "true or false";
      case INT, LONG, FLOAT, DOUBLE -> value.isNumber() || value.isTextual() ? null : "a number";
      case ENUM -> value.isTextual() || value.isInt() ? null : "a name";
      case MESSAGE -> null;
    };
  }

  /// An escape may denote an unpaired surrogate, which cannot be stored.
  private static @Nullable String wholeText(String text) {
    int character;
    for (int i = 0; i < text.length(); i += Character.charCount(character)) {
      character = text.codePointAt(i);
      if (Character.getType(character) == Character.SURROGATE) {
        return "text of whole characters";
      }
    }
    return null;
  }

  private void check(String path, String name, JsonNode value, FieldDescriptor field) {
    if (++checkedFields > MAX_CHECKED_FIELDS) {
      return;
    }
    ObjectNode single = JsonNodeFactory.instance.objectNode();
    single.set(name, value);
    try {
      JsonFormat.parser()
          .merge(single.toString(), DynamicMessage.newBuilder(field.getContainingType()));
    } catch (InvalidProtocolBufferException e) {
      violations.add(new Violation(path, "must be " + required(field)));
    }
  }

  /// The expected value of the field, as a readable description.
  private static String required(FieldDescriptor field) {
    String description =
        switch (field.getJavaType()) {
          case STRING -> "a string";
          case BYTE_STRING -> "a base64 string";
          case BOOLEAN -> "true or false";
          case INT -> "a whole number of 32 bits";
          case LONG -> "a whole number of 64 bits";
          case FLOAT, DOUBLE -> "a number";
          case ENUM -> "one of " + names(field.getEnumType());
          case MESSAGE -> wellKnown(field.getMessageType().getName());
        };
    return field.isRepeated() ? "a list, each of it " + description : description;
  }

  private static String names(EnumDescriptor type) {
    return type.getValues().stream()
        .filter(value -> value.getNumber() != 0)
        .map(EnumValueDescriptor::getName)
        .collect(Collectors.joining(", "));
  }

  private static String wellKnown(String name) {
    return switch (name) {
      case "Timestamp" -> "a time like 2026-01-31T12:00:00Z";
      case "Duration" -> "a duration like 3.5s";
      case "BoolValue" -> "true or false";
      case "Int32Value", "Int64Value", "UInt32Value", "UInt64Value" -> "a whole number";
      case "StringValue" -> "a string";
      default -> "another value";
    };
  }

  static @Nullable FieldDescriptor field(Descriptor type, String name) {
    for (FieldDescriptor field : type.getFields()) {
      if (field.getJsonName().equals(name) || field.getName().equals(name)) {
        return field;
      }
    }
    return null;
  }

  /// Whether a value of the field is a JSON object of a message's fields.
  private static boolean hasNested(FieldDescriptor field) {
    FieldDescriptor value =
        field.isMapField() ? field.getMessageType().findFieldByName("value") : field;
    return value.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        && !value.getMessageType().getFullName().startsWith(WELL_KNOWN);
  }
}
