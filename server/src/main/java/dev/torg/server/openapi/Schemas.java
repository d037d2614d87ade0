package dev.torg.server.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.api.FieldBehavior;
import com.google.api.FieldBehaviorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.GenericDescriptor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// JSON schemas of messages, by the rules of proto3 JSON: 64-bit numbers are strings, bytes are base64, maps are objects.
/// Messages and enums are components, so that a generated client has one type for each.
final class Schemas {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String REF = "#/components/schemas/";

  private final Comments comments;
  private final Map<String, ObjectNode> named = new TreeMap<>();
  private final Deque<GenericDescriptor> waiting = new ArrayDeque<>();
  private final Set<String> seen = new HashSet<>();
  private final Map<String, List<String>> bodies = new HashMap<>();

  Schemas(Comments comments) {
    this.comments = comments;
  }

  /// All messages and enums that were referred to, by name.
  ObjectNode named() {
    while (!waiting.isEmpty()) {
      GenericDescriptor type = waiting.pop();
      named.put(name(type), component(type));
    }
    ObjectNode all = JSON.objectNode();
    named.forEach(all::set);
    return all;
  }

  private ObjectNode component(GenericDescriptor type) {
    return type instanceof EnumDescriptor values
        ? ofEnum(values)
        : object((Descriptor) type, List.of());
  }

  ObjectNode reference(GenericDescriptor type) {
    if (seen.add(type.getFullName())) {
      waiting.push(type);
    }
    return JSON.objectNode().put("$ref", REF + name(type));
  }

  /// A message less the fields that are in the path of its call.
  ///
  /// @return a component too: a generated client would invent a name for an anonymous schema
  ObjectNode body(Descriptor message, List<String> without) {
    if (without.isEmpty()) {
      return reference(message);
    }
    if (seen.contains(message.getFullName())
        || !without.equals(bodies.computeIfAbsent(message.getFullName(), _ -> without))) {
      throw new IllegalStateException(message.getFullName() + " is a body in two shapes");
    }
    named.put(name(message), object(message, without));
    return JSON.objectNode().put("$ref", REF + name(message));
  }

  private ObjectNode object(Descriptor message, List<String> without) {
    ObjectNode schema = JSON.objectNode().put("type", "object");
    describe(schema, comments.of(message.getFullName()));
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = JSON.arrayNode();
    message.getFields().stream()
        .filter(field -> !without.contains(field.getName()))
        .forEach(
            field -> {
              properties.set(field.getJsonName(), ofField(field));
              if (isRequired(field)) {
                required.add(field.getJsonName());
              }
            });
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
    return schema;
  }

  static boolean isRequired(FieldDescriptor field) {
    return field
        .getOptions()
        .getExtension(FieldBehaviorProto.fieldBehavior)
        .contains(FieldBehavior.REQUIRED);
  }

  /// A reference cannot have a description of its own in OpenAPI 3.0, so one that needs it is wrapped.
  ObjectNode ofField(FieldDescriptor field) {
    ObjectNode schema = ofShape(field);
    String comment = comments.of(field.getFullName());
    if (schema.has("$ref") && !comment.isEmpty()) {
      ObjectNode wrapped = JSON.objectNode();
      wrapped.putArray("allOf").add(schema);
      schema = wrapped;
    }
    describe(schema, comment);
    return schema;
  }

  private ObjectNode ofShape(FieldDescriptor field) {
    if (field.isMapField()) {
      ObjectNode map = JSON.objectNode().put("type", "object");
      map.set("additionalProperties", ofValue(field.getMessageType().findFieldByName("value")));
      return map;
    }
    if (field.isRepeated()) {
      ObjectNode list = JSON.objectNode().put("type", "array");
      list.set("items", ofValue(field));
      return list;
    }
    return ofValue(field);
  }

  private ObjectNode ofValue(FieldDescriptor field) {
    return switch (field.getType()) {
      case STRING -> type("string");
      case BYTES -> type("string").put("format", "byte");
      case BOOL -> type("boolean");
      case DOUBLE, FLOAT -> type("number");
      case INT32, SINT32, SFIXED32, UINT32, FIXED32 -> type("integer").put("format", "int32");
      case INT64, SINT64, SFIXED64, UINT64, FIXED64 -> type("string").put("format", "int64");
      case ENUM -> reference(field.getEnumType());
      case MESSAGE, GROUP -> ofMessage(field.getMessageType());
    };
  }

  private ObjectNode ofMessage(Descriptor message) {
    return switch (message.getFullName()) {
      case "google.protobuf.Timestamp" -> type("string").put("format", "date-time");
      case "google.protobuf.Duration" -> type("string").put("example", "3.5s");
      case "google.protobuf.FieldMask" -> type("string");
      case "google.protobuf.Struct", "google.protobuf.Empty" -> type("object");
      case "google.protobuf.ListValue" -> {
        ObjectNode list = type("array");
        list.putObject("items");
        yield list;
      }
      // Any JSON value: a schema without a type.
      case "google.protobuf.Value" -> JSON.objectNode();
      default -> reference(message);
    };
  }

  private ObjectNode ofEnum(EnumDescriptor values) {
    ObjectNode schema = type("string");
    ArrayNode names = schema.putArray("enum");
    values.getValues().stream().map(EnumValueDescriptor::getName).forEach(names::add);
    String each =
        values.getValues().stream()
            .map(value -> item(value.getName(), comments.of(name(values, value))))
            .filter(line -> !line.isEmpty())
            .collect(Collectors.joining("\n"));
    describe(schema, join(comments.of(values.getFullName()), each));
    return schema;
  }

  private static String name(EnumDescriptor values, EnumValueDescriptor value) {
    return values.getFullName() + "." + value.getName();
  }

  private static String item(String name, String comment) {
    return comment.isEmpty() ? "" : "- `" + name + "`: " + comment;
  }

  private static String join(String first, String second) {
    return first.isEmpty() || second.isEmpty() ? first + second : first + "\n\n" + second;
  }

  private static void describe(ObjectNode schema, String comment) {
    if (!comment.isEmpty()) {
      schema.put("description", comment);
    }
  }

  private static ObjectNode type(String name) {
    return JSON.objectNode().put("type", name);
  }

  /// `torg.v1.Offer` is `Offer`, the nested `torg.v1.Offer.Status` is `OfferStatus`.
  private static String name(GenericDescriptor type) {
    String pack = type.getFile().getPackage();
    return type.getFullName().substring(pack.isEmpty() ? 0 : pack.length() + 1).replace(".", "");
  }
}
