package dev.torg.notifications.content;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A hash of a message's content that does not depend on its serialized form: the order of a map's entries, whether it
/// came as JSON or protobuf, and the version of protobuf make no difference, nor do fields that are not set. It is
/// compared with hashes of years ago, so its definition must not change.
public final class CanonicalHash {
  private final Hasher hasher = Hashing.sha256().newHasher();

  private CanonicalHash() {}

  public static HashCode of(Message message) {
    CanonicalHash hash = new CanonicalHash();
    hash.message(message);
    return hash.hasher.hash();
  }

  /// Fields in the order of their numbers.
  private void message(Message message) {
    Map<FieldDescriptor, Object> fields = new TreeMap<>(message.getAllFields());
    hasher.putInt(fields.size());
    fields.forEach(
        (field, value) -> {
          hasher.putInt(field.getNumber());
          if (field.isMapField()) {
            entries((List<?>) value);
          } else if (field.isRepeated()) {
            items((List<?>) value);
          } else {
            value(value);
          }
        });
  }

  private void items(List<?> items) {
    hasher.putInt(items.size());
    items.forEach(this::value);
  }

  /// In the order of their keys, which are texts.
  private void entries(List<?> entries) {
    Map<String, Object> sorted = new TreeMap<>();
    entries.forEach(
        item -> {
          MapEntry<?, ?> entry = (MapEntry<?, ?>) item;
          sorted.put(String.valueOf(entry.getKey()), entry.getValue());
        });
    hasher.putInt(sorted.size());
    sorted.forEach(
        (key, value) -> {
          value(key);
          value(value);
        });
  }

  private void value(Object value) {
    switch (value) {
      case Message message -> message(message);
      case String text -> {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        hasher.putInt(bytes.length).putBytes(bytes);
      }
      case Boolean flag -> hasher.putBoolean(flag);
      case Integer number -> hasher.putInt(number);
      case Long number -> hasher.putLong(number);
      case Double number -> hasher.putDouble(number);
      case EnumValueDescriptor constant -> hasher.putInt(constant.getNumber());
      default -> throw new IllegalArgumentException("a field of " + value.getClass());
    }
  }
}
