package dev.torg.platform.db;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;

/// Parses messages that the database holds as bytes. Only this project writes them, so bytes that cannot
/// be parsed are a defect, not bad input.
public final class StoredProto {
  private StoredProto() {}

  /// @param what names the message in the error, such as `notification`
  public static <T extends MessageLite> T parse(Parser<T> parser, byte[] bytes, String what) {
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored " + what + " cannot be parsed", e);
    }
  }
}
