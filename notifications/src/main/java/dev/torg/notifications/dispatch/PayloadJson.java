package dev.torg.notifications.dispatch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Value;

/// The payload of an action as JSON, as the HTTP API prints it: protobuf knows only doubles, and a client that gave 7
/// expects 7 rather than 7.0.
final class PayloadJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// All integers up to this are exact as doubles.
  private static final double MAX_EXACT_INTEGER = 1L << 53;

  private PayloadJson() {}

  static JsonNode of(Value value) {
    return switch (value.getKindCase()) {
      case STRING_VALUE -> JSON.textNode(value.getStringValue());
      case NUMBER_VALUE -> number(value.getNumberValue());
      case BOOL_VALUE -> JSON.booleanNode(value.getBoolValue());
      case STRUCT_VALUE -> object(value);
      case LIST_VALUE -> array(value);
      case NULL_VALUE, KIND_NOT_SET -> JSON.nullNode();
    };
  }

  private static JsonNode number(double number) {
    return number == Math.rint(number) && Math.abs(number) <= MAX_EXACT_INTEGER
        ? JSON.numberNode((long) number)
        : JSON.numberNode(number);
  }

  private static ObjectNode object(Value value) {
    ObjectNode object = JSON.objectNode();
    value.getStructValue().getFieldsMap().forEach((name, field) -> object.set(name, of(field)));
    return object;
  }

  private static ArrayNode array(Value value) {
    ArrayNode array = JSON.arrayNode();
    value.getListValue().getValuesList().forEach(item -> array.add(of(item)));
    return array;
  }
}
