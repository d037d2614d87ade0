package dev.torg.server.bounds;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import com.google.protobuf.WireFormat;
import com.google.protobuf.util.Timestamps;
import dev.torg.server.bounds.FieldBounds.Kind;
import java.io.IOException;

/// Scans a serialized protobuf message and refuses what is beyond its bounds, without building objects: a few
/// bytes can become an object of a hundred.
///
/// A field that is no list may occur once, as in JSON: protobuf would merge a second one, and lists in it would
/// add up. Unknown fields are counted and skipped; the parser drops them ([BoundedMarshaller]).
final class WireBounds {
  /// Fields, items and entries of a message in all.
  static final int MAX_VALUES = 10_000;

  /// Fields of a later version of the API.
  static final int MAX_UNKNOWN = 100;

  private static final int MAX_UTF8_BYTES = 4;

  private final byte[] bytes;
  private final CodedInputStream in;
  private int values;
  private int unknown;

  private WireBounds(byte[] bytes) {
    this.bytes = bytes;
    this.in = CodedInputStream.newInstance(bytes);
  }

  static void check(MessageBounds type, byte[] message) throws InvalidProtocolBufferException {
    try {
      new WireBounds(message).message(type);
    } catch (InvalidProtocolBufferException e) {
      throw e;
    } catch (IOException e) {
      throw new InvalidProtocolBufferException(e);
    }
  }

  private void message(MessageBounds type) throws IOException {
    int[] counts = new int[type.fields().size()];
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (++values > MAX_VALUES) {
        throw OutOfBoundsException.of("must have at most " + MAX_VALUES + " values in all");
      }
      int wireType = WireFormat.getTagWireType(tag);
      FieldBounds field = type.numbered(WireFormat.getTagFieldNumber(tag));
      if (field == null || !field.reads(wireType)) {
        skip(tag);
      } else {
        counts[field.index()] = read(field, tag, counts[field.index()]);
      }
    }
  }

  /// Returns how many items of the field have occurred.
  private int read(FieldBounds field, int tag, int before) throws IOException {
    boolean delimited = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
    int length = delimited ? length() : 0;
    boolean packed = delimited && field.kind() == Kind.SCALAR;
    int count = before + (packed ? packedItems(field, length) : 1);
    if (count > field.maxItems()) {
      throw OutOfBoundsException.tooMany(field).in(field);
    }
    if (!delimited) {
      in.skipField(tag);
      return count;
    }
    try {
      delimited(field, length);
    } catch (OutOfBoundsException e) {
      throw e.in(field, before);
    }
    return count;
  }

  private int length() throws IOException {
    int length = in.readRawVarint32();
    if (length < 0 || length > bytes.length - in.getTotalBytesRead()) {
      throw new InvalidProtocolBufferException("a field is longer than the message");
    }
    return length;
  }

  private int packedItems(FieldBounds field, int length) {
    if (field.packedBytes() > 0) {
      return length / field.packedBytes();
    }
    int items = 0;
    int start = in.getTotalBytesRead();
    for (int i = start; i < start + length; i++) {
      items += bytes[i] >= 0 ? 1 : 0;
    }
    return items;
  }

  private void delimited(FieldBounds field, int length) throws IOException {
    switch (field.kind()) {
      case TEXT -> text(field.maxLen(), length);
      case BYTES -> bytes(field.maxBytes(), length);
      case SCALAR -> in.skipRawBytes(length);
      case TIMESTAMP -> timestamp(field.nested(), length);
      case MESSAGE, FREE -> nested(field.nested(), length);
    }
  }

  private void text(int maxLen, int length) throws IOException {
    if (length > maxLen
        && (length > (long) MAX_UTF8_BYTES * maxLen || codePoints(length) > maxLen)) {
      throw OutOfBoundsException.tooLong(maxLen);
    }
    in.skipRawBytes(length);
  }

  /// Every byte but those that continue a character.
  private int codePoints(int length) {
    int count = 0;
    int start = in.getTotalBytesRead();
    for (int i = start; i < start + length; i++) {
      count += (bytes[i] & 0xC0) == 0x80 ? 0 : 1;
    }
    return count;
  }

  private void bytes(int maxBytes, int length) throws IOException {
    if (length > maxBytes) {
      throw OutOfBoundsException.tooManyBytes(maxBytes);
    }
    in.skipRawBytes(length);
  }

  /// JSON cannot express an invalid time; two numbers can.
  private void timestamp(MessageBounds type, int length) throws IOException {
    int start = in.getTotalBytesRead();
    nested(type, length);
    Timestamp at = Timestamp.parser().parseFrom(bytes, start, length);
    if (!Timestamps.isValid(at)) {
      throw OutOfBoundsException.malformed("must be a time between the years 1 and 9999");
    }
  }

  private void nested(MessageBounds type, int length) throws IOException {
    int outer = in.pushLimit(length);
    message(type);
    in.checkLastTagWas(0);
    in.popLimit(outer);
  }

  private void skip(int tag) throws IOException {
    int wireType = WireFormat.getTagWireType(tag);
    if (wireType == WireFormat.WIRETYPE_START_GROUP || wireType == WireFormat.WIRETYPE_END_GROUP) {
      throw new InvalidProtocolBufferException("groups are not accepted");
    }
    if (++unknown > MAX_UNKNOWN) {
      throw OutOfBoundsException.of("must have at most " + MAX_UNKNOWN + " unknown fields");
    }
    in.skipField(tag);
  }
}
