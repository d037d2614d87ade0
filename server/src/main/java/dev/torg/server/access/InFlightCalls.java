package dev.torg.server.access;

import com.linecorp.armeria.common.ShuttingDownException;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// The calls that were admitted and have not ended: a stopping server waits for them and for no others, so a
/// client that keeps calling does not delay it. Endless streams are registered too, but not waited for.
///
/// A call enters the set before it reads the stop flag, and the flag is set before the set is read: so a call
/// is either seen by the stop or refused.
final class InFlightCalls {
  /// For the final responses to calls that are cancelled because the server cannot wait any longer.
  private static final Duration CANCEL_GRACE_PERIOD = Duration.ofMillis(500);

  private final Set<ServiceRequestContext> calls = ConcurrentHashMap.newKeySet();
  private final Set<ServiceRequestContext> endless = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> none = new CompletableFuture<>();
  private volatile boolean stopping;

  /// Returns false when the server is stopping.
  boolean begin(ServiceRequestContext ctx) {
    return begin(calls, ctx);
  }

  /// The same for a stream that ends when its client disconnects.
  boolean beginEndless(ServiceRequestContext ctx) {
    return begin(endless, ctx);
  }

  private boolean begin(Set<ServiceRequestContext> set, ServiceRequestContext ctx) {
    set.add(ctx);
    if (stopping) {
      end(set, ctx);
      return false;
    }
    ctx.log().whenComplete().thenRun(() -> end(set, ctx));
    return true;
  }

  private void end(Set<ServiceRequestContext> set, ServiceRequestContext ctx) {
    set.remove(ctx);
    if (stopping && calls.isEmpty()) {
      none.complete(null);
    }
  }

  /// Admits no further call, cuts the endless streams, and waits for the others at most the given time.
  void stop(Duration timeout) {
    stopping = true;
    endless.forEach(InFlightCalls::cancel);
    if (!calls.isEmpty() && !ended(timeout)) {
      calls.forEach(InFlightCalls::cancel);
      ended(CANCEL_GRACE_PERIOD);
    }
  }

  private boolean ended(Duration timeout) {
    return none.copy()
        .thenApply(_ -> true)
        .completeOnTimeout(false, timeout.toNanos(), TimeUnit.NANOSECONDS)
        .join();
  }

  private static void cancel(ServiceRequestContext ctx) {
    ctx.cancel(ShuttingDownException.get());
  }
}
