package dev.torg.server.access;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.server.problem.Problems;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Limits how much of a request is read. The server sets no limit at its routes: that would refuse a long body
/// before the caller is authenticated.
public final class BodyLength {
  static final long UNLIMITED = 0;

  /// A body of this size has usually been sent already.
  private static final long MAX_DISCARDED_BYTES = 64 << 10;

  private static final Duration DISCARD_TIMEOUT = Duration.ofMillis(250);

  private BodyLength() {}

  /// For an admitted call: refuses a body that is announced as longer, and cuts off one that turns out to be
  /// longer. An announced one is not cut off as well: the end of its connection could overtake the response.
  static void limit(ServiceRequestContext ctx, long maxBytes) {
    if (maxBytes != UNLIMITED && ctx.request().headers().contentLength() > maxBytes) {
      throw Problems.tooLarge();
    }
    ctx.setMaxRequestLength(maxBytes);
  }

  /// Lets the body of a refused call arrive before the response is sent. On HTTP/2 a response that overtakes
  /// the body resets the stream, and a client that is still sending sees the reset instead of the response.
  /// Only small bodies are waited for, and not for long.
  public static CompletableFuture<Void> discard(ServiceRequestContext ctx, HttpRequest request) {
    if (!ctx.sessionProtocol().isMultiplex()
        || request.headers().contentLength() > MAX_DISCARDED_BYTES) {
      return CompletableFuture.completedFuture(null);
    }
    ctx.setMaxRequestLength(MAX_DISCARDED_BYTES);
    return request
        .aggregate()
        .<Void>handle((_, _) -> null)
        .completeOnTimeout(null, DISCARD_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }
}
