package dev.torg.server.access;

import dev.torg.platform.Failure;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/// A call that records its duration and outcome in its timer. Only the first end counts: a service may throw
/// after it has responded.
final class MeasuredCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
  private final CallMetrics.Method metrics;
  private final ResponseMemory memory;
  private final long startedAt = System.nanoTime();
  private boolean closed;

  MeasuredCall(ServerCall<Q, A> call, CallMetrics.Method callMetrics, ResponseMemory memory) {
    super(call);
    this.metrics = callMetrics;
    this.memory = memory;
  }

  /// A response that is too large, or for which there is no memory, ends the call as a failure.
  @Override
  public void sendMessage(A message) {
    if (closed) {
      return;
    }
    try {
      memory.acquire(message);
    } catch (Failure refusal) {
      failed(refusal);
      return;
    }
    super.sendMessage(message);
  }

  @Override
  public void close(Status status, Metadata trailers) {
    if (closed) {
      return;
    }
    closed = true;
    metrics.record(status, System.nanoTime() - startedAt);
    super.close(withCause(status), trailers);
  }

  /// The gRPC library ends a call without a message by a bare status; only a status with a cause becomes a
  /// problem.
  private static Status withCause(Status status) {
    boolean bare = !status.isOk() && status.getCause() == null;
    return bare ? status.withCause(status.asRuntimeException()) : status;
  }

  void failed(Throwable cause) {
    close(Status.fromThrowable(cause), new Metadata());
  }
}
