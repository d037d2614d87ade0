package dev.torg.server.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import dev.torg.api.v1.DevicesProto;
import dev.torg.api.v1.FavoritesProto;
import dev.torg.api.v1.FeedsProto;
import dev.torg.api.v1.IdentityProto;
import dev.torg.api.v1.NotificationsProto;
import dev.torg.api.v1.OffersProto;
import dev.torg.api.v1.PhotosProto;
import dev.torg.api.v1.SendingProto;
import dev.torg.server.bounds.FieldBounds;
import dev.torg.server.bounds.FieldBounds.Kind;
import dev.torg.server.bounds.MessageBounds;
import dev.torg.server.bounds.OutOfBoundsException;
import dev.torg.server.bounds.RequestBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every declared bound of every request: the largest value is accepted, one more is refused, in protobuf and
/// in JSON, with the same message.
class BoundsOfEveryRequestTest {
  private static final JsonFactory JSON =
      JsonFactory.builder().streamReadConstraints(JsonBounds.CONSTRAINTS).build();
  private static final List<FileDescriptor> FILES =
      List.of(
          IdentityProto.getDescriptor(),
          OffersProto.getDescriptor(),
          FavoritesProto.getDescriptor(),
          NotificationsProto.getDescriptor(),
          DevicesProto.getDescriptor(),
          SendingProto.getDescriptor(),
          PhotosProto.getDescriptor(),
          FeedsProto.getDescriptor());

  /// Creates a request with a value of the given size.
  record Probe(String description, int max, IntFunction<Message> ofSize) {
    @Override
    public String toString() {
      return description + " " + max;
    }
  }

  static Stream<MethodDescriptor> methods() {
    return FILES.stream()
        .flatMap(file -> file.getServices().stream())
        .flatMap(service -> service.getMethods().stream());
  }

  @ParameterizedTest
  @MethodSource("methods")
  void request_atEachBound_isAcceptedAndOneBeyondItRefused(MethodDescriptor method)
      throws Exception {
    RequestBounds bounds = RequestBounds.of(method);
    assertThat(bounds.maxBytes()).isBetween(1, 8 << 20);
    for (Probe probe : probes(bounds.message())) {
      Message largest = probe.ofSize().apply(probe.max());
      assertThat(wire(bounds, largest)).as("%s, bytes", probe).isEmpty();
      assertThat(json(bounds, largest)).as("%s, JSON", probe).isEmpty();
      assertThat(largest.getSerializedSize()).as("%s", probe).isLessThan(bounds.maxBytes());
      Message tooLarge = probe.ofSize().apply(probe.max() + 1);
      String refusal = wire(bounds, tooLarge);
      assertThat(refusal).as("%s, one more, bytes", probe).isNotEmpty();
      assertThat(json(bounds, tooLarge)).as("%s, one more, JSON", probe).isEqualTo(refusal);
    }
  }

  /// The message of the refusal, or an empty text.
  private static String wire(RequestBounds bounds, Message message) throws Exception {
    try {
      bounds.message().check(message.toByteArray());
      return "";
    } catch (OutOfBoundsException e) {
      return violations(e);
    }
  }

  private static String json(RequestBounds bounds, Message message) throws Exception {
    try {
      JsonBounds.check(JSON, JsonFormat.printer().print(message), bounds.message());
      return "";
    } catch (OutOfBoundsException e) {
      return violations(e);
    }
  }

  private static String violations(OutOfBoundsException refusal) {
    return refusal.asFailure().violations().toString();
  }

  private static List<Probe> probes(MessageBounds type) {
    List<Probe> probes = new ArrayList<>();
    type.fields().forEach(field -> probes.addAll(probes(type.type(), field)));
    return probes;
  }

  private static List<Probe> probes(Descriptor type, FieldBounds bounds) {
    if (bounds.isMap()) {
      return ofMap(type, bounds);
    }
    FieldDescriptor field = bounds.field();
    List<Probe> probes = new ArrayList<>();
    if (bounds.isList()) {
      probes.add(
          new Probe(
              field.getName() + " items",
              bounds.maxItems(),
              size -> holding(type, field, copies(size, least(bounds)))));
    }
    ofValue(bounds)
        .forEach(
            probe ->
                probes.add(
                    new Probe(
                        field.getName() + "." + probe.description(),
                        probe.max(),
                        size -> holding(type, field, probe.ofSize().apply(size)))));
    return probes;
  }

  /// Creates one value of the field with the given size.
  record ValueProbe(String description, int max, IntFunction<Object> ofSize) {}

  private static List<ValueProbe> ofValue(FieldBounds bounds) {
    return switch (bounds.kind()) {
      case TEXT ->
          List.of(
              new ValueProbe("characters", bounds.maxLen(), "a"::repeat),
              new ValueProbe("long characters", bounds.maxLen(), "😀"::repeat));
      case BYTES ->
          List.of(
              new ValueProbe(
                  "bytes", bounds.maxBytes(), size -> ByteString.copyFrom(new byte[size])));
      case FREE -> ofAnyJson(bounds);
      case MESSAGE ->
          probes(bounds.nested()).stream()
              .map(
                  probe ->
                      new ValueProbe(
                          probe.description(), probe.max(), size -> probe.ofSize().apply(size)))
              .toList();
      case SCALAR, TIMESTAMP -> List.of();
    };
  }

  private static List<ValueProbe> ofAnyJson(FieldBounds bounds) {
    int items = bounds.declared().getMaxItems();
    int keys = bounds.declared().getMaxKeyLen();
    return List.of(
        new ValueProbe("text", bounds.maxLen(), size -> text("a".repeat(size))),
        new ValueProbe("list", items, BoundsOfEveryRequestTest::list),
        new ValueProbe("object", items, BoundsOfEveryRequestTest::object),
        new ValueProbe("name", keys, size -> struct("a".repeat(size))),
        new ValueProbe("text in list", bounds.maxLen(), size -> in(text("a".repeat(size)))),
        new ValueProbe(
            "depth", bounds.declared().getMaxDepth(), BoundsOfEveryRequestTest::nestedLists));
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static final Value NULL = Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build();

  private static Value in(Value value) {
    return Value.newBuilder().setListValue(ListValue.newBuilder().addValues(value)).build();
  }

  private static Value list(int size) {
    ListValue.Builder list = ListValue.newBuilder();
    copies(size, NULL).forEach(value -> list.addValues((Value) value));
    return Value.newBuilder().setListValue(list).build();
  }

  private static Value object(int size) {
    Struct.Builder struct = Struct.newBuilder();
    for (int i = 0; i < size; i++) {
      struct.putFields("k" + i, NULL);
    }
    return Value.newBuilder().setStructValue(struct).build();
  }

  private static Value struct(String name) {
    return Value.newBuilder().setStructValue(Struct.newBuilder().putFields(name, NULL)).build();
  }

  private static Value nestedLists(int depth) {
    Value value = Value.newBuilder().setListValue(ListValue.getDefaultInstance()).build();
    for (int i = 1; i < depth; i++) {
      value = in(value);
    }
    return value;
  }

  private static List<Probe> ofMap(Descriptor type, FieldBounds bounds) {
    FieldDescriptor field = bounds.field();
    FieldBounds value = bounds.nested().value();
    List<Probe> probes = new ArrayList<>();
    probes.add(
        new Probe(
            field.getName() + " pairs",
            bounds.maxItems(),
            size -> {
              List<Object> entries = new ArrayList<>();
              for (int i = 0; i < size; i++) {
                entries.add(entry(bounds, "k" + i, least(value)));
              }
              return holding(type, field, entries);
            }));
    probes.add(
        new Probe(
            field.getName() + " key",
            bounds.nested().key().maxLen(),
            size -> holding(type, field, entry(bounds, "a".repeat(size), least(value)))));
    for (ValueProbe probe : ofValue(value)) {
      probes.add(
          new Probe(
              field.getName() + "." + probe.description(),
              probe.max(),
              size -> holding(type, field, entry(bounds, "k", probe.ofSize().apply(size)))));
    }
    return probes;
  }

  private static Message entry(FieldBounds map, String key, Object value) {
    Descriptor type = map.field().getMessageType();
    return DynamicMessage.newBuilder(type)
        .setField(type.findFieldByNumber(1), key)
        .setField(type.findFieldByNumber(2), value)
        .build();
  }

  /// A message of the type with the value in the field; for a list with the value as its only item,
  /// or with all given ones.
  private static Message holding(Descriptor type, FieldDescriptor field, Object value) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    if (!field.isRepeated()) {
      return message.setField(field, value).build();
    }
    if (value instanceof List<?> items) {
      items.forEach(item -> message.addRepeatedField(field, item));
    } else {
      message.addRepeatedField(field, value);
    }
    return message.build();
  }

  private static Object least(FieldBounds bounds) {
    if (bounds.kind() == Kind.FREE) {
      return NULL;
    }
    return switch (bounds.field().getJavaType()) {
      case STRING -> "";
      case BYTE_STRING -> ByteString.EMPTY;
      case MESSAGE -> DynamicMessage.getDefaultInstance(bounds.field().getMessageType());
      case INT -> 0;
      case LONG -> 0L;
      case FLOAT -> 0f;
      case DOUBLE -> 0d;
      case BOOLEAN -> false;
      case ENUM -> bounds.field().getEnumType().getValues().getFirst();
    };
  }

  private static List<Object> copies(int count, Object value) {
    return java.util.Collections.nCopies(count, value);
  }
}
