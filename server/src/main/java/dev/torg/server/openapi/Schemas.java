package dev.torg.server.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// JSON schemas of messages, by the rules of proto3 JSON: 64-bit numbers are strings, bytes are base64, maps are objects.
final class Schemas {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String REF = "#/components/schemas/";

  private final Comments comments;
  private final Map<String, ObjectNode> named = new TreeMap<>();
  private final Deque<Descriptor> waiting = new ArrayDeque<>();
  private final Set<String> seen = new HashSet<>();

  Schemas(Comments comments) {
    this.comments = comments;
  }

  /// All messages that were referred to, by name.
  ObjectNode named() {
    while (!waiting.isEmpty()) {
      Descriptor message = waiting.pop();
      named.put(name(message), object(message, List.of()));
    }
    ObjectNode all = JSON.objectNode();
    named.forEach(all::set);
    return all;
  }

  ObjectNode reference(Descriptor message) {
    if (seen.add(message.getFullName())) {
      waiting.push(message);
    }
    return JSON.objectNode().put("$ref", REF + name(message));
  }

  /// The message without the fields that are parameters.
  ObjectNode object(Descriptor message, List<String> without) {
    ObjectNode schema = JSON.objectNode().put("type", "object");
    describe(schema, message.getFullName());
    ObjectNode properties = schema.putObject("properties");
    message.getFields().stream()
        .filter(field -> !without.contains(field.getName()))
        .forEach(field -> properties.set(field.getJsonName(), ofField(field)));
    return schema;
  }

  ObjectNode ofField(FieldDescriptor field) {
    ObjectNode schema = ofShape(field);
    if (!schema.has("$ref")) {
      describe(schema, field.getFullName());
    }
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
      case ENUM -> ofEnum(field.getEnumType());
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

  private static ObjectNode ofEnum(EnumDescriptor values) {
    ObjectNode schema = type("string");
    ArrayNode names = schema.putArray("enum");
    values.getValues().stream().map(EnumValueDescriptor::getName).forEach(names::add);
    return schema;
  }

  private void describe(ObjectNode schema, String fullName) {
    String comment = comments.of(fullName);
    if (!comment.isEmpty()) {
      schema.put("description", comment);
    }
  }

  private static ObjectNode type(String name) {
    return JSON.objectNode().put("type", name);
  }

  /// `torg.v1.Offer` is `Offer`, a nested message `Outer.Inner`.
  private static String name(Descriptor message) {
    String pack = message.getFile().getPackage();
    return message.getFullName().substring(pack.isEmpty() ? 0 : pack.length() + 1);
  }
}
