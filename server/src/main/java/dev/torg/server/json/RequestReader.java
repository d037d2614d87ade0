package dev.torg.server.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.QueryParams;
import dev.torg.platform.Failure;
import dev.torg.server.bounds.FieldBounds;
import dev.torg.server.bounds.MessageBounds;
import dev.torg.server.bounds.OutOfBoundsException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Builds the request message of one rule: the body first, then the query, then the path, which
/// wins.
///
/// With `body: "*"` every field that is not in the path is read from the body, and a query
/// parameter is an unknown field; otherwise fields are read from the query, nested ones by dotted
/// path, repeated ones by repetition.
final class RequestReader {
  /// Types that an address can contain: texts and long numbers.
  private static final Set<FieldDescriptor.JavaType> IN_PATHS =
      Set.of(FieldDescriptor.JavaType.STRING, FieldDescriptor.JavaType.LONG);

  private static final String WHOLE = "*";
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Message prototype;
  private final Descriptor type;
  private final MessageBounds bounds;
  private final List<String> pathFields;
  private final String body;
  private final @Nullable FieldDescriptor bodyField;

  RequestReader(Message prototype, MessageBounds bounds, List<String> pathFields, String body) {
    this.prototype = prototype;
    this.type = prototype.getDescriptorForType();
    this.bounds = bounds;
    this.pathFields = pathFields;
    this.body = body;
    this.bodyField = body.isEmpty() || body.equals(WHOLE) ? null : type.findFieldByName(body);
    pathFields.forEach(this::requirePathField);
  }

  Message read(byte[] content, QueryParams query, List<String> pathValues) {
    Message.Builder message = prototype.newBuilderForType();
    readBody(content, message);
    if (!query.isEmpty()) {
      ProtoJson.read(json(query).toString(), message, bounds);
    }
    for (int i = 0; i < pathValues.size(); i++) {
      FieldDescriptor field = type.findFieldByName(pathFields.get(i));
      message.setField(field, pathValue(field, pathValues.get(i)));
    }
    return message.build();
  }

  private Object pathValue(FieldDescriptor field, String text) {
    if (field.getJavaType() == FieldDescriptor.JavaType.STRING) {
      return bounded(field, text);
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw unreadable(field.getJsonName(), "must be a whole number");
    }
  }

  private String bounded(FieldDescriptor field, String text) {
    FieldBounds fieldBounds = Objects.requireNonNull(bounds.numbered(field.getNumber()));
    if (text.codePointCount(0, text.length()) > fieldBounds.maxLen()) {
      throw OutOfBoundsException.tooLong(fieldBounds.maxLen()).in(fieldBounds).asFailure();
    }
    return text;
  }

  private void readBody(byte[] content, Message.Builder message) {
    if (bodyField != null) {
      Message.Builder part = message.newBuilderForField(bodyField);
      FieldBounds fieldBounds = Objects.requireNonNull(bounds.numbered(bodyField.getNumber()));
      ProtoJson.read(content, part, fieldBounds.nested());
      message.setField(bodyField, part.build());
    } else if (body.equals(WHOLE)) {
      ProtoJson.read(content, message, bounds);
    } else if (content.length > 0) {
      throw Failure.of(Failure.Kind.INVALID, "request.malformed", "this call takes no body");
    }
  }

  private ObjectNode json(QueryParams query) {
    ObjectNode root = JSON.objectNode();
    for (String name : query.names()) {
      List<String> values = query.getAll(name);
      ObjectNode parent = root;
      Descriptor at = type;
      String[] steps = name.split("\\.", -1);
      for (int i = 0; i < steps.length - 1; i++) {
        FieldDescriptor field = step(name, at, steps[i]);
        at = field.getMessageType();
        parent = child(parent, field.getJsonName());
      }
      FieldDescriptor field = field(name, at, steps[steps.length - 1]);
      parent.set(field.getJsonName(), value(name, field, values));
    }
    return root;
  }

  private FieldDescriptor field(String name, Descriptor at, String step) {
    FieldDescriptor field = JsonFieldErrors.field(at, step);
    boolean notAQueryParameter =
        at == type
            && (body.equals(WHOLE)
                || field == null
                || field.equals(bodyField)
                || pathFields.contains(field.getName()));
    if (field == null || notAQueryParameter) {
      throw unreadable(name, "unknown parameter");
    }
    return field;
  }

  private FieldDescriptor step(String name, Descriptor at, String step) {
    FieldDescriptor field = field(name, at, step);
    if (field.isRepeated() || field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
      throw unreadable(name, "unknown parameter");
    }
    return field;
  }

  private static JsonNode value(String name, FieldDescriptor field, List<String> values) {
    if (field.isMapField()) {
      throw unreadable(name, "cannot be given in the address");
    }
    if (field.isRepeated()) {
      ArrayNode list = JSON.arrayNode();
      values.forEach(list::add);
      return list;
    }
    if (values.size() > 1) {
      throw unreadable(name, "is given more than once");
    }
    return JSON.textNode(values.getFirst());
  }

  private static ObjectNode child(ObjectNode parent, String name) {
    if (parent.get(name) instanceof ObjectNode existing) {
      return existing;
    }
    return parent.putObject(name);
  }

  private void requirePathField(String name) {
    FieldDescriptor field = type.findFieldByName(name);
    if (field == null || field.isRepeated() || !IN_PATHS.contains(field.getJavaType())) {
      throw new IllegalStateException(
          type.getFullName() + " has no text or number " + name + " for its path");
    }
  }

  /// The parameters of the query, for the documentation.
  static boolean isFromQuery(FieldDescriptor field, List<String> pathFields, String body) {
    return !body.equals(WHOLE)
        && !body.equals(field.getName())
        && !pathFields.contains(field.getName())
        && !field.isMapField();
  }

  private static Failure unreadable(String name, String problem) {
    return Failure.invalid(
        "request.malformed",
        "a parameter of the request is unknown or has a wrong value",
        name,
        problem);
  }
}
