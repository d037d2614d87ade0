package dev.torg.server.bounds;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import dev.torg.api.v1.Bounds;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The bounds of one field, as they are checked.
///
/// - `index`: its position among the fields of its message.
/// - `maxItems`: how often it may occur: 1 for a field that is no list.
/// - `declared`: the bounds of the .proto file; of a map those of its key and value.
/// - `message`: the bounds of its message type; of a map those of an entry, with fields 1 and 2.
public record FieldBounds(
    FieldDescriptor field,
    int index,
    Kind kind,
    int maxItems,
    Bounds declared,
    @Nullable MessageBounds message) {

  public enum Kind {
    /// A number, a boolean or an enum value.
    SCALAR,
    TEXT,
    BYTES,
    MESSAGE,
    TIMESTAMP,
    /// A `google.protobuf.Value`, `Struct` or `ListValue`: any JSON.
    FREE
  }

  public String name() {
    return field.getJsonName();
  }

  public boolean isMap() {
    return field.isMapField();
  }

  public boolean isList() {
    return field.isRepeated() && !field.isMapField();
  }

  public int maxLen() {
    return declared.getMaxLen();
  }

  public int maxBytes() {
    return declared.getMaxBytes();
  }

  /// Of its value, which is a message.
  public MessageBounds nested() {
    return Objects.requireNonNull(message);
  }

  /// Whether a violation inside names the field only: map keys and paths through free-form JSON are not
  /// disclosed.
  boolean isOpaque() {
    return isMap() || kind == Kind.FREE;
  }

  /// Protobuf treats a field in another wire format than its own as an unknown field.
  boolean reads(int wireType) {
    return wireType == wireType()
        || (wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED && isPackable());
  }

  private boolean isPackable() {
    return field.isRepeated() && field.getLiteType().isPackable();
  }

  private int wireType() {
    return field.getLiteType().getWireType();
  }

  /// Bytes of one item of a packed list, or 0 where they differ.
  int packedBytes() {
    return switch (wireType()) {
      case WireFormat.WIRETYPE_FIXED32 -> Integer.BYTES;
      case WireFormat.WIRETYPE_FIXED64 -> Long.BYTES;
      default -> 0;
    };
  }
}
