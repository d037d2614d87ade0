package dev.torg.server.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FieldOptions;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StructProto;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.Value;
import dev.torg.api.v1.AddSellersRequest;
import dev.torg.api.v1.Bounds;
import dev.torg.api.v1.BoundsProto;
import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.GetOfferRequest;
import dev.torg.api.v1.ListFavoritesRequest;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.platform.Failure;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageBoundsTest {
  @ParameterizedTest
  @CsvSource({
    "TYPE_STRING, LABEL_OPTIONAL, max_len",
    "TYPE_BYTES, LABEL_OPTIONAL, max_bytes",
    "TYPE_INT32, LABEL_REPEATED, max_items",
    "TYPE_STRING, LABEL_REPEATED, max_items",
  })
  void of_fieldWithoutBounds_isRefused(Type type, Label label, String missing) throws Exception {
    Descriptor request = request(field("wide", type, label, Bounds.getDefaultInstance()));
    assertThatThrownBy(() -> MessageBounds.of(request))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("test.Request.wide")
        .hasMessageContaining(missing);
  }

  @ParameterizedTest
  @ValueSource(strings = {"max_len", "max_items", "max_key_len", "max_depth"})
  void of_anyJsonWithoutOneOfItsBounds_isRefused(String missing) throws Exception {
    Bounds bounds =
        Bounds.newBuilder()
            .setMaxLen(1)
            .setMaxItems(1)
            .setMaxKeyLen(1)
            .setMaxDepth(1)
            .clearField(Bounds.getDescriptor().findFieldByName(missing))
            .build();
    FieldDescriptorProto any =
        field("any", Type.TYPE_MESSAGE, Label.LABEL_OPTIONAL, bounds).toBuilder()
            .setTypeName(".google.protobuf.Value")
            .build();
    Descriptor request = request(any);
    assertThatThrownBy(() -> MessageBounds.of(request)).hasMessageContaining(missing);
  }

  @Test
  void of_unboundedFieldDeepInside_isRefused() throws Exception {
    DescriptorProto inner =
        DescriptorProto.newBuilder()
            .setName("Inner")
            .addField(
                field("text", Type.TYPE_STRING, Label.LABEL_OPTIONAL, Bounds.getDefaultInstance()))
            .build();
    FieldDescriptorProto outer =
        field("inner", Type.TYPE_MESSAGE, Label.LABEL_OPTIONAL, Bounds.getDefaultInstance())
            .toBuilder()
            .setTypeName(".test.Inner")
            .build();
    Descriptor request = file(outer, inner).findMessageTypeByName("Request");
    assertThatThrownBy(() -> MessageBounds.of(request)).hasMessageContaining("test.Inner.text");
  }

  @Test
  void of_messageThatHoldsItself_isRefused() throws Exception {
    FieldDescriptorProto self =
        field("self", Type.TYPE_MESSAGE, Label.LABEL_OPTIONAL, Bounds.getDefaultInstance())
            .toBuilder()
            .setTypeName(".test.Request")
            .build();
    Descriptor request = request(self);
    assertThatThrownBy(() -> MessageBounds.of(request)).hasMessageContaining("test.Request");
  }

  /// Numbers may be packed into one field: each item counts.
  @ParameterizedTest
  @CsvSource({
    "TYPE_INT32, 0a03010203, true",
    "TYPE_INT32, 0a0401020304, false",
    "TYPE_INT32, 0a0480010203, true",
    "TYPE_INT32, 0801080208030804, false",
    "TYPE_INT32, 0a02010208030804, false",
    "TYPE_FIXED32, 0a0c000000000000000000000000, true",
    "TYPE_FIXED32, 0a1000000000000000000000000000000000, false",
  })
  void check_packedNumbers_areCounted(Type type, String hex, boolean accepted) throws Exception {
    Descriptor request =
        request(
            field(
                "numbers", type, Label.LABEL_REPEATED, Bounds.newBuilder().setMaxItems(3).build()));
    byte[] bytes = HexFormat.of().parseHex(hex);
    if (accepted) {
      assertThatCode(() -> MessageBounds.of(request).check(bytes)).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> MessageBounds.of(request).check(bytes))
          .isInstanceOf(OutOfBoundsException.class);
    }
  }

  @Test
  void check_listBeyondItsBound_namesTheList() {
    AddSellersRequest request =
        AddSellersRequest.newBuilder()
            .addAllSellerIds(IntStream.range(0, 1_001).mapToObj(i -> "" + i).toList())
            .build();
    assertRefused(request.getDescriptorForType(), request.toByteArray(), "sellerIds");
  }

  @Test
  void check_longTextInAListOfANestedMessage_namesTheItem() {
    AddSellersRequest request =
        AddSellersRequest.newBuilder()
            .setSettings(
                DeliverySettings.newBuilder().addChannels("EMAIL").addChannels("a".repeat(501)))
            .build();
    assertRefused(request.getDescriptorForType(), request.toByteArray(), "settings.channels[1]");
  }

  /// Protobuf merges a message that occurs twice, and its lists add up.
  @Test
  void check_messageTwice_isRefused() {
    ByteString once =
        AddSellersRequest.newBuilder()
            .setSettings(DeliverySettings.newBuilder().addChannels("EMAIL"))
            .build()
            .toByteString();
    assertRefused(AddSellersRequest.getDescriptor(), once.concat(once).toByteArray(), "settings");
  }

  @Test
  void check_tooManyUnknownFields_isRefused() throws Exception {
    check(GetOfferRequest.getDescriptor(), unknown(WireBounds.MAX_UNKNOWN));
    assertRefused(GetOfferRequest.getDescriptor(), unknown(WireBounds.MAX_UNKNOWN + 1), "");
  }

  /// Parsing a time to check its range must not build objects for what else is in it.
  @Test
  void check_unknownFieldsInATimestamp_areCounted() throws Exception {
    check(ListFavoritesRequest.getDescriptor(), createdAfter(unknown(WireBounds.MAX_UNKNOWN)));
    assertRefused(
        ListFavoritesRequest.getDescriptor(),
        createdAfter(unknown(WireBounds.MAX_UNKNOWN + 1)),
        "createdAfter");
  }

  private static byte[] createdAfter(byte[] unknownFields) throws InvalidProtocolBufferException {
    Timestamp time =
        Timestamp.newBuilder().setUnknownFields(UnknownFieldSet.parseFrom(unknownFields)).build();
    return ListFavoritesRequest.newBuilder().setCreatedAfter(time).build().toByteArray();
  }

  private static byte[] unknown(int count) {
    UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
    IntStream.range(0, count).forEach(field::addVarint);
    return UnknownFieldSet.newBuilder().addField(99, field.build()).build().toByteArray();
  }

  @Test
  void check_tooManyValuesInAll_isRefused() {
    Offer.Builder offer = Offer.newBuilder();
    Value nothing = Value.newBuilder().setBoolValue(true).build();
    Value.Builder list = Value.newBuilder();
    IntStream.range(0, 1_500).forEach(_ -> list.getListValueBuilder().addValues(nothing));
    IntStream.range(0, 6).forEach(i -> offer.putAttributes("a" + i, list.build()));
    byte[] bytes = PublishOfferRequest.newBuilder().setOffer(offer).build().toByteArray();
    assertRefused(PublishOfferRequest.getDescriptor(), bytes, "offer.attributes");
  }

  @ParameterizedTest
  @CsvSource({
    "253402300799, 999999999, true",
    "253402300800, 0, false",
    "9223372036854775807, 0, false",
    "-62135596801, 0, false",
    "0, -1, false",
    "0, 1000000000, false",
  })
  void check_timestamp_mustBeATime(long seconds, int nanos, boolean accepted) throws Exception {
    byte[] bytes =
        ListFavoritesRequest.newBuilder()
            .setCreatedAfter(Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos))
            .build()
            .toByteArray();
    if (accepted) {
      check(ListFavoritesRequest.getDescriptor(), bytes);
    } else {
      assertRefused(ListFavoritesRequest.getDescriptor(), bytes, "createdAfter");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0a05ab", "0b0c", "ffffff", "0a", "0affffffff0f", "00"})
  void check_noProtobuf_isMalformed(String hex) {
    assertThatThrownBy(() -> check(GetOfferRequest.getDescriptor(), HexFormat.of().parseHex(hex)))
        .isInstanceOf(InvalidProtocolBufferException.class);
  }

  private static void check(Descriptor type, byte[] message) throws InvalidProtocolBufferException {
    MessageBounds.of(type).check(message);
  }

  private static void assertRefused(Descriptor type, byte[] message, String field) {
    assertThatThrownBy(() -> check(type, message))
        .isInstanceOfSatisfying(
            OutOfBoundsException.class,
            refusal -> {
              Failure failure = refusal.asFailure();
              assertThat(failure.kind()).isEqualTo(Failure.Kind.INVALID);
              assertThat(failure.violations()).extracting("field").containsExactly(field);
            });
  }

  private static FieldDescriptorProto field(String name, Type type, Label label, Bounds bounds) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(1)
        .setType(type)
        .setLabel(label)
        .setOptions(FieldOptions.newBuilder().setExtension(BoundsProto.bounds, bounds))
        .build();
  }

  private static Descriptor request(FieldDescriptorProto field) throws Exception {
    return file(field).findMessageTypeByName("Request");
  }

  private static FileDescriptor file(FieldDescriptorProto field, DescriptorProto... others)
      throws Exception {
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder()
            .setName("test.proto")
            .setPackage("test")
            .setSyntax("proto3")
            .addDependency("google/protobuf/struct.proto")
            .addMessageType(DescriptorProto.newBuilder().setName("Request").addField(field));
    for (DescriptorProto other : others) {
      file.addMessageType(other);
    }
    return FileDescriptor.buildFrom(
        file.build(), new FileDescriptor[] {StructProto.getDescriptor()});
  }
}
