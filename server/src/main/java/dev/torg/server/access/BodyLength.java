package dev.torg.server.access;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.server.problem.Problems;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// How much of a request is read. The server itself sets no limit at its routes: it would refuse a long body before
/// anybody has asked who sends it.
public final class BodyLength {
  static final long UNLIMITED = 0;

  /// A body that is already under way as a rule.
  private static final long MAX_DISCARDED_BYTES = 64 << 10;

  private static final Duration DISCARD_TIMEOUT = Duration.ofMillis(250);

  private BodyLength() {}

  /// For a call that was admitted: refuses what is announced as longer, and cuts off what turns out to be. What is
  /// announced is not cut off as well: the end of its connection could overtake the answer.
  static void limit(ServiceRequestContext ctx, long maxBytes) {
    if (maxBytes != UNLIMITED && ctx.request().headers().contentLength() > maxBytes) {
      throw Problems.tooLarge();
    }
    ctx.setMaxRequestLength(maxBytes);
  }

  /// Lets the body of a refused call arrive before the answer goes out. On HTTP/2 an answer that overtakes the body
  /// resets the stream, and a client that is still sending then hears of the reset and not of the answer. Only small
  /// bodies are waited for, and not for long.
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
