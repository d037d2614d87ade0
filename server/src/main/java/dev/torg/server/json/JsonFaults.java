package dev.torg.server.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.torg.platform.Failure.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds which fields made a JSON request unreadable, with their paths (`offer.attributes`, `ids[3]`).
///
/// Runs only after the protobuf library has refused the whole. It walks objects, lists and maps and lets that library
/// judge every single value again, so the rules of proto3 JSON are written down nowhere twice.
final class JsonFaults {
  /// Enough to repair a request by, not enough to flood an answer.
  private static final int MOST = 20;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String WELL_KNOWN = "google.protobuf.";

  private final List<Violation> found = new ArrayList<>();

  static List<Violation> find(String json, Descriptor type) {
    JsonFaults faults = new JsonFaults();
    try {
      faults.walk("", (ObjectNode) JSON.readTree(json), type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON, though its syntax was checked", e);
    }
    return faults.found;
  }

  private void walk(String path, ObjectNode object, Descriptor type) {
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (found.size() == MOST) {
        return;
      }
      FieldDescriptor field = field(type, entry.getKey());
      String here = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
      if (field == null) {
        found.add(new Violation(here, "unknown field"));
      } else {
        walk(here, entry.getKey(), entry.getValue(), field);
      }
    }
  }

  private void walk(String path, String name, JsonNode value, FieldDescriptor field) {
    Descriptor nested = nested(field);
    if (nested != null && field.isMapField() && value instanceof ObjectNode map) {
      map.properties()
          .forEach(item -> descend(path + "." + item.getKey(), item.getValue(), nested));
    } else if (nested != null && field.isRepeated() && value instanceof ArrayNode list) {
      for (int i = 0; i < list.size(); i++) {
        descend(path + "[" + i + "]", list.get(i), nested);
      }
    } else if (nested != null && !field.isRepeated() && value.isObject()) {
      descend(path, value, nested);
    } else {
      judge(path, name, value, field.getContainingType());
    }
  }

  private void descend(String path, JsonNode value, Descriptor type) {
    if (value instanceof ObjectNode object) {
      walk(path, object, type);
    } else {
      found.add(new Violation(path, "must be an object"));
    }
  }

  private void judge(String path, String name, JsonNode value, Descriptor parent) {
    ObjectNode alone = JsonNodeFactory.instance.objectNode();
    alone.set(name, value);
    try {
      JsonFormat.parser().merge(alone.toString(), DynamicMessage.newBuilder(parent));
    } catch (InvalidProtocolBufferException e) {
      found.add(new Violation(path, ProtoJson.message(e)));
    }
  }

  static @Nullable FieldDescriptor field(Descriptor type, String name) {
    for (FieldDescriptor field : type.getFields()) {
      if (field.getJsonName().equals(name) || field.getName().equals(name)) {
        return field;
      }
    }
    return null;
  }

  /// The message inside a field, unless its JSON form is not an object of its fields.
  private static @Nullable Descriptor nested(FieldDescriptor field) {
    FieldDescriptor value =
        field.isMapField() ? field.getMessageType().findFieldByName("value") : field;
    if (value == null || value.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
      return null;
    }
    Descriptor type = value.getMessageType();
    return type.getFullName().startsWith(WELL_KNOWN) ? null : type;
  }
}
