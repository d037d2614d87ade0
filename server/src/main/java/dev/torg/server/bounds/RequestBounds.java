package dev.torg.server.bounds;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import dev.torg.api.v1.Bounds;
import dev.torg.api.v1.BoundsProto;

/// The bounds of an RPC's request: of its fields, and of its bytes on the wire (in a stream those
/// of each message).
public record RequestBounds(MessageBounds message, int maxBytes) {
  /// Enough for everything but files and feeds.
  public static final int DEFAULT_MAX_BYTES = 1 << 20;

  /// For methods of other projects' .proto files: gRPC's health and reflection, whose requests hold
  /// a name.
  public static final int THIRD_PARTY_MAX_BYTES = 16 << 10;

  private static final Bounds THIRD_PARTY =
      Bounds.newBuilder()
          .setMaxLen(1_000)
          .setMaxBytes(1_000)
          .setMaxItems(100)
          .setMaxPairs(100)
          .setMaxKeyLen(1_000)
          .setMaxDepth(1)
          .build();

  /// Refuses a method whose request has a field without bounds.
  public static RequestBounds of(MethodDescriptor method) {
    int declared = method.getOptions().getExtension(BoundsProto.maxRequestBytes);
    return new RequestBounds(
        MessageBounds.of(method.getInputType()), declared > 0 ? declared : DEFAULT_MAX_BYTES);
  }

  /// With bounds for every field that declares none.
  static RequestBounds thirdParty(Message prototype) {
    return new RequestBounds(
        new BoundsCompiler(THIRD_PARTY).message(prototype.getDescriptorForType()),
        THIRD_PARTY_MAX_BYTES);
  }
}
