package dev.torg.server.access;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import dev.torg.platform.Failure;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Refuses text with the character NUL, which PostgreSQL cannot store: checked once here, in every field of a
/// request, instead of in every module. Fields of bytes may hold anything.
final class NulCharacters {
  private NulCharacters() {}

  static void refuse(Object request) {
    String field = request instanceof Message message ? find(message) : null;
    if (field != null) {
      throw Failure.invalid(
          "request.malformed",
          "a text of the request has the character NUL",
          field,
          "must not have the character NUL");
    }
  }

  /// The path of the first such text, or null. Paths are built only after one was found.
  private static @Nullable String find(Message message) {
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      JavaType type = field.getJavaType();
      if (type == JavaType.STRING || type == JavaType.MESSAGE) {
        String path =
            field.isRepeated()
                ? findInList(field, (List<?>) entry.getValue())
                : findInValue(entry.getValue());
        if (path != null) {
          return field.getJsonName() + path;
        }
      }
    }
    return null;
  }

  private static @Nullable String findInList(FieldDescriptor field, List<?> values) {
    for (int i = 0; i < values.size(); i++) {
      String path = findInValue(values.get(i));
      if (path != null) {
        return field.isMapField() ? "" : "[" + i + "]" + path;
      }
    }
    return null;
  }

  private static @Nullable String findInValue(Object value) {
    if (value instanceof String text) {
      return text.indexOf('\0') < 0 ? null : "";
    }
    String path = find((Message) value);
    return path == null ? null : "." + path;
  }
}
