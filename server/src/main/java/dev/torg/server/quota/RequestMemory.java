package dev.torg.server.quota;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.platform.Failure;
import io.netty.util.AttributeKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/// The memory of a request in progress: the received bytes of its body, counted with those of all other requests,
/// by address and in total. A client that sends slowly, or never finishes, holds what it has sent.
///
/// A unary call holds its bytes until it ends. A stream of messages holds those of its unfinished message; complete
/// messages are bounded by their service. A body of at most [#SMALL_BYTES] is not counted: such bodies are bounded
/// by the number of calls in flight.
public final class RequestMemory {
  private static final int SMALL_BYTES = 16 * 1024;

  private static final AttributeKey<RequestMemory> MEMORY =
      AttributeKey.valueOf(RequestMemory.class, "MEMORY");

  private final CallsInFlight calls;
  private final String key;
  private long received;
  private long acquired;
  private boolean ended;

  private RequestMemory(CallsInFlight calls, String key) {
    this.calls = calls;
    this.key = key;
  }

  /// The same request, counted while it arrives. When there is no memory left for it, its body ends with the
  /// refusal.
  public static HttpRequest counted(ServiceRequestContext ctx, HttpRequest request) {
    long announced = request.headers().contentLength();
    if (request.isEmpty() || (announced >= 0 && announced <= SMALL_BYTES)) {
      return request;
    }
    RequestMemory memory = new RequestMemory(CallsInFlight.of(ctx), CallsInFlight.key(ctx));
    ctx.setAttr(MEMORY, memory);
    ctx.log().whenComplete().thenRun(memory::end);
    return HttpRequest.of(request.headers(), memory.counting(request));
  }

  /// A message of a stream is complete, and no longer held by its request.
  public static void messageReceived(ServiceRequestContext ctx) {
    RequestMemory memory = ctx.attr(MEMORY);
    if (memory != null) {
      memory.release();
    }
  }

  /// A publisher of our own: `HttpRequest.peekData` sees the pieces of a request that is aggregated only when all of
  /// them have arrived.
  private Publisher<HttpObject> counting(HttpRequest request) {
    return subscriber -> request.subscribe(new CountingSubscriber(subscriber));
  }

  private final class CountingSubscriber implements Subscriber<HttpObject> {
    private final Subscriber<? super HttpObject> subscriber;
    private @Nullable Subscription upstream;
    private boolean refused;

    CountingSubscriber(Subscriber<? super HttpObject> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      upstream = subscription;
      subscriber.onSubscribe(subscription);
    }

    @Override
    public void onNext(HttpObject piece) {
      if (refused) {
        return;
      }
      try {
        receive(piece instanceof HttpData data ? data.length() : 0);
      } catch (Failure refusal) {
        refused = true;
        Objects.requireNonNull(upstream).cancel();
        subscriber.onError(refusal);
        return;
      }
      subscriber.onNext(piece);
    }

    @Override
    public void onError(Throwable cause) {
      if (!refused) {
        subscriber.onError(cause);
      }
    }

    @Override
    public void onComplete() {
      if (!refused) {
        subscriber.onComplete();
      }
    }
  }

  private synchronized void receive(int bytes) {
    received += bytes;
    if (received > SMALL_BYTES && !ended) {
      long more = received - acquired;
      calls.acquireRequestBytes(key, more);
      acquired += more;
    }
  }

  private synchronized void release() {
    calls.releaseRequestBytes(key, acquired);
    received = 0;
    acquired = 0;
  }

  private synchronized void end() {
    ended = true;
    release();
  }
}
