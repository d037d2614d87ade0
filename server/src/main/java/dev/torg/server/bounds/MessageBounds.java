package dev.torg.server.bounds;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The bounds of every field of a message, and through them of everything that it can hold.
public final class MessageBounds {
  private final Descriptor type;
  private final List<FieldBounds> fields;
  private final Map<Integer, FieldBounds> byNumber = new HashMap<>();
  private final Map<String, FieldBounds> byName = new HashMap<>();

  MessageBounds(Descriptor type, List<FieldBounds> fields) {
    this.type = type;
    this.fields = List.copyOf(fields);
    for (FieldBounds bounds : fields) {
      FieldDescriptor field = bounds.field();
      byNumber.put(field.getNumber(), bounds);
      byName.put(field.getName(), bounds);
      byName.put(field.getJsonName(), bounds);
    }
  }

  /// Refuses a message with a field that declares no bounds, at any depth.
  public static MessageBounds of(Descriptor type) {
    return new BoundsCompiler(null).message(type);
  }

  /// Refuses a request beyond the bounds ([OutOfBoundsException]) or that is not protobuf.
  public void check(byte[] message) throws InvalidProtocolBufferException {
    WireBounds.check(this, message);
  }

  public Descriptor type() {
    return type;
  }

  public List<FieldBounds> fields() {
    return fields;
  }

  /// By its JSON name or its name in the .proto file.
  public @Nullable FieldBounds named(String name) {
    return byName.get(name);
  }

  public @Nullable FieldBounds numbered(int number) {
    return byNumber.get(number);
  }

  /// Of a map's entry.
  public FieldBounds key() {
    return fields.get(0);
  }

  /// Of a map's entry.
  public FieldBounds value() {
    return fields.get(1);
  }
}
