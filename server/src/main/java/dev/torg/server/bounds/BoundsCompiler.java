package dev.torg.server.bounds;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import dev.torg.api.v1.Bounds;
import dev.torg.api.v1.BoundsProto;
import dev.torg.server.bounds.FieldBounds.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Reads the declared bounds of a message and of everything in it.
///
/// The message types form a tree once recursion is excluded, so nesting is bounded by the types themselves.
/// Only `google.protobuf.Value` may contain itself: it is unrolled to the declared depth, below which lists and
/// objects are refused.
final class BoundsCompiler {
  private static final Set<String> FREE =
      Set.of(
          Value.getDescriptor().getFullName(),
          Struct.getDescriptor().getFullName(),
          ListValue.getDescriptor().getFullName());
  private static final Bounds NONE = Bounds.getDefaultInstance();

  private final @Nullable Bounds fallback;
  private final Map<String, MessageBounds> compiled = new HashMap<>();
  private final Set<String> open = new HashSet<>();

  /// @param fallback bounds of fields that declare none, in messages of other projects; null
  /// refuses such fields
  BoundsCompiler(@Nullable Bounds fallback) {
    this.fallback = fallback;
  }

  MessageBounds message(Descriptor type) {
    MessageBounds cached = compiled.get(type.getFullName());
    if (cached != null) {
      return cached;
    }
    if (!open.add(type.getFullName())) {
      throw new IllegalStateException(
          type.getFullName() + " can hold itself, so the depth of a request has no bound");
    }
    List<FieldBounds> fields = new ArrayList<>();
    type.getFields().forEach(field -> fields.add(field(field, fields.size(), declared(field))));
    MessageBounds bounds = new MessageBounds(type, fields);
    open.remove(type.getFullName());
    compiled.put(type.getFullName(), bounds);
    return bounds;
  }

  private Bounds declared(FieldDescriptor field) {
    Bounds declared = field.getOptions().getExtension(BoundsProto.bounds);
    return fallback != null && declared.equals(NONE) ? fallback : declared;
  }

  private FieldBounds field(FieldDescriptor field, int index, Bounds declared) {
    if (field.isMapField()) {
      int pairs = require(field, declared, Bounds::getMaxPairs, "max_pairs");
      return new FieldBounds(field, index, Kind.MESSAGE, pairs, declared, entry(field, declared));
    }
    int items = field.isRepeated() ? require(field, declared, Bounds::getMaxItems, "max_items") : 1;
    return switch (field.getJavaType()) {
      case STRING -> {
        require(field, declared, Bounds::getMaxLen, "max_len");
        yield new FieldBounds(field, index, Kind.TEXT, items, declared, null);
      }
      case BYTE_STRING -> {
        require(field, declared, Bounds::getMaxBytes, "max_bytes");
        yield new FieldBounds(field, index, Kind.BYTES, items, declared, null);
      }
      case MESSAGE -> nested(field, index, items, declared);
      case INT, LONG, FLOAT, DOUBLE, BOOLEAN, ENUM ->
          new FieldBounds(field, index, Kind.SCALAR, items, declared, null);
    };
  }

  /// A map's entry: the bounds declared at the map apply to its keys and values.
  private MessageBounds entry(FieldDescriptor map, Bounds declared) {
    Descriptor entry = map.getMessageType();
    FieldDescriptor key = entry.findFieldByNumber(1);
    Bounds ofKeys = Bounds.newBuilder().setMaxLen(declared.getMaxKeyLen()).build();
    if (key.getJavaType() == FieldDescriptor.JavaType.STRING) {
      require(map, declared, Bounds::getMaxKeyLen, "max_key_len");
    }
    return new MessageBounds(
        entry, List.of(field(key, 0, ofKeys), field(entry.findFieldByNumber(2), 1, declared)));
  }

  private FieldBounds nested(FieldDescriptor field, int index, int items, Bounds declared) {
    Descriptor type = field.getMessageType();
    if (FREE.contains(type.getFullName())) {
      require(field, declared, Bounds::getMaxLen, "max_len");
      require(field, declared, Bounds::getMaxItems, "max_items");
      require(field, declared, Bounds::getMaxKeyLen, "max_key_len");
      int depth = require(field, declared, Bounds::getMaxDepth, "max_depth");
      return new FieldBounds(field, index, Kind.FREE, items, declared, free(type, declared, depth));
    }
    Kind kind =
        type.getFullName().equals(Timestamp.getDescriptor().getFullName())
            ? Kind.TIMESTAMP
            : Kind.MESSAGE;
    return new FieldBounds(field, index, kind, items, declared, message(type));
  }

  /// A Value, Struct or ListValue with the given number of further nesting levels.
  private static MessageBounds free(Descriptor type, Bounds declared, int depth) {
    List<FieldBounds> fields = new ArrayList<>();
    for (FieldDescriptor field : type.getFields()) {
      fields.add(freeField(field, fields.size(), declared, depth));
    }
    return new MessageBounds(type, fields);
  }

  private static FieldBounds freeField(
      FieldDescriptor field, int index, Bounds declared, int depth) {
    if (field.isMapField()) {
      MessageBounds entry = freeEntry(field.getMessageType(), declared, depth - 1);
      return new FieldBounds(field, index, Kind.MESSAGE, declared.getMaxItems(), declared, entry);
    }
    return switch (field.getJavaType()) {
      case STRING -> new FieldBounds(field, index, Kind.TEXT, 1, declared, null);
      case MESSAGE -> freeMessage(field, index, declared, depth);
      default -> new FieldBounds(field, index, Kind.SCALAR, 1, declared, null);
    };
  }

  private static FieldBounds freeMessage(
      FieldDescriptor field, int index, Bounds declared, int depth) {
    if (field.isRepeated()) {
      MessageBounds item = free(field.getMessageType(), declared, depth - 1);
      return new FieldBounds(field, index, Kind.MESSAGE, declared.getMaxItems(), declared, item);
    }
    MessageBounds deeper = depth == 0 ? null : free(field.getMessageType(), declared, depth);
    return new FieldBounds(field, index, Kind.MESSAGE, depth == 0 ? 0 : 1, declared, deeper);
  }

  private static MessageBounds freeEntry(Descriptor entry, Bounds declared, int depth) {
    Bounds ofKeys = Bounds.newBuilder().setMaxLen(declared.getMaxKeyLen()).build();
    FieldDescriptor value = entry.findFieldByNumber(2);
    MessageBounds nested = free(value.getMessageType(), declared, depth);
    return new MessageBounds(
        entry,
        List.of(
            new FieldBounds(entry.findFieldByNumber(1), 0, Kind.TEXT, 1, ofKeys, null),
            new FieldBounds(value, 1, Kind.MESSAGE, 1, declared, nested)));
  }

  private static int require(
      FieldDescriptor field, Bounds declared, ToIntFunction<Bounds> bound, String name) {
    int value = bound.applyAsInt(declared);
    if (value < 1) {
      throw new IllegalStateException(
          field.getFullName() + " can be in a request and does not declare (bounds)." + name);
    }
    return value;
  }
}
