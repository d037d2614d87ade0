package dev.torg.server.access;

import com.google.protobuf.MessageLite;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.server.problem.Problems;

/// Bounds the responses of one call before they are printed: each message in size, and the memory of large ones together
/// with all other responses.
final class ResponseMemory {
  /// Smaller ones are bounded by the number of calls in flight.
  private static final int LARGE_BYTES = 16 * 1024;

  private final AccessControl accessControl;
  private final ServiceRequestContext ctx;
  private final int maxBytes;

  ResponseMemory(AccessControl accessControl, ServiceRequestContext ctx, int maxBytes) {
    this.accessControl = accessControl;
    this.ctx = ctx;
    this.maxBytes = maxBytes;
  }

  void acquire(Object message) {
    if (!(message instanceof MessageLite proto)) {
      return;
    }
    int size = proto.getSerializedSize();
    if (size > maxBytes) {
      accessControl.countTooLarge();
      throw Problems.responseTooLarge();
    }
    if (size > LARGE_BYTES) {
      accessControl.acquireResponseBytes(ctx, size);
    }
  }
}
