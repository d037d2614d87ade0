package dev.torg.server.quota;

import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.platform.Failure;
import dev.torg.server.quota.Quota.Outcome;
import dev.torg.server.quota.Refusals.Kind;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Tracks every call from its headers until its response is written, including refused ones and
/// probes: an unread response takes memory whatever its status.
///
/// Up to the configured number of calls an address is served. Up to twice that number it gets an
/// error response, from [#requireCapacity]. Beyond that the unread error responses are the load, and
/// the connection is closed.
///
/// A response that has started and makes no progress for the stall timeout is reset; if it is still
/// there one timeout later, the connection is closed. One thread checks all calls a few times per
/// timeout.
public final class CallsInFlight implements AutoCloseable {
  /// How often all calls are checked in one stall timeout.
  private static final int CHECKS_PER_STALL = 8;

  /// Calls in flight, refused ones included, at which connections are closed: a multiple of the limit.
  private static final int HARD_FACTOR = 2;

  /// An address with no more calls than this keeps its connections when the server as a whole is full, so that probes
  /// get through.
  private static final int RESERVED_CALLS_PER_ADDRESS = 16;

  /// Unread responses with metrics. They have their own bound, so that other responses that are not read do not prevent
  /// a scrape.
  private static final Bound SCRAPES = new Bound(256, 4);

  private static final AttributeKey<Call> CALL = AttributeKey.valueOf(CallsInFlight.class, "CALL");

  private final Quotas quotas;
  private final Refusals refusals;
  private final LongSupplier nanos;
  private final Quota calls;
  private final Quota streams;
  private final Quota requestBytes;
  private final Quota responseBytes;
  private final Quota scrapes = new Quota(SCRAPES);
  private final Map<ServiceRequestContext, Progress> open = new ConcurrentHashMap<>();
  private final Thread watch;
  private volatile boolean closed;

  /// The state of a counted call.
  private record Call(CallsInFlight calls, String key) {}

  /// How many pieces of a response were written. The other fields are used by the checking thread only.
  private static final class Progress {
    private final AtomicLong pieces = new AtomicLong();
    private long checked = -1;
    private long since;
    private boolean wasReset;
  }

  public CallsInFlight(Quotas quotas, Refusals refusals, LongSupplier nanos) {
    this.quotas = quotas;
    this.refusals = refusals;
    this.nanos = nanos;
    this.calls = new Quota(new Bound(Long.MAX_VALUE, Long.MAX_VALUE));
    this.streams = new Quota(quotas.streams());
    this.requestBytes = new Quota(quotas.requestBytes());
    this.responseBytes = new Quota(quotas.responseBytes());
    this.watch = Thread.ofVirtual().name("torg-stalled").start(this::run);
  }

  /// Counts a call. Returns false when its address has too many in flight, so that its connection was closed.
  public boolean enter(ServiceRequestContext ctx) {
    String key = AddressKey.of(ctx.clientAddress());
    calls.tryAcquire(key, 1);
    ctx.setAttr(CALL, new Call(this, key));
    open.put(ctx, new Progress());
    ctx.log().whenComplete().thenRun(() -> release(ctx, key));
    if (isHardFull(key)) {
      refusals.count(Kind.CALLS);
      closeConnection(ctx);
      return false;
    }
    return true;
  }

  /// The instance that counts this call.
  public static CallsInFlight of(ServiceRequestContext ctx) {
    return Objects.requireNonNull(ctx.attr(CALL), "the call is not counted").calls();
  }

  /// The address of the call, in the form in which limits count addresses.
  public static String key(ServiceRequestContext ctx) {
    Call call = ctx.attr(CALL);
    return call == null ? AddressKey.of(ctx.clientAddress()) : call.key();
  }

  /// Another piece of a streamed response is about to be written; all earlier ones have been.
  public void progress(ServiceRequestContext ctx) {
    Progress progress = open.get(ctx);
    if (progress != null) {
      progress.pieces.incrementAndGet();
    }
  }

  private void release(ServiceRequestContext ctx, String key) {
    open.remove(ctx);
    calls.release(key, 1);
  }

  private boolean isHardFull(String key) {
    long own = calls.used(key);
    return own > HARD_FACTOR * quotas.calls().perKey()
        || (own > RESERVED_CALLS_PER_ADDRESS
            && calls.used() > HARD_FACTOR * quotas.calls().total());
  }

  /// Refuses a call when there are too many in flight.
  ///
  /// @param unbounded a caller whose address does not count, because it makes calls for many users
  public void requireCapacity(ServiceRequestContext ctx, boolean unbounded) {
    if (!unbounded && calls.used(key(ctx)) > quotas.calls().perKey()) {
      refusals.count(Kind.CALLS);
      throw Failure.exhausted(
          "calls.too-many",
          "too many calls in flight from this address; read their responses first");
    }
    if (calls.used() > quotas.calls().total()) {
      refusals.count(Kind.CALLS);
      throw Failure.unavailable("calls.busy", "too many calls in flight; try again later", null);
    }
  }

  /// For a stream that may be idle for a long time: it is not reset when nothing is written.
  public void allowIdle(ServiceRequestContext ctx) {
    open.remove(ctx);
  }

  /// Counts an endless stream until it ends.
  public void acquireStream(ServiceRequestContext ctx) {
    acquire(
        ctx,
        streams,
        1,
        Kind.STREAMS,
        Failure.exhausted("streams.too-many", "too many open streams from this address"),
        Failure.unavailable("streams.busy", "too many open streams; try again later", null));
  }

  /// Counts memory of a response, until the response is written.
  public void acquireResponseBytes(ServiceRequestContext ctx, long amount) {
    acquire(ctx, responseBytes, amount, Kind.RESPONSE_BYTES, tooManyResponses(), responsesBusy());
  }

  /// Counts a response with metrics, until it is written.
  public void acquireScrape(ServiceRequestContext ctx) {
    acquire(ctx, scrapes, 1, Kind.RESPONSE_BYTES, tooManyResponses(), responsesBusy());
  }

  private static Failure tooManyResponses() {
    return Failure.exhausted(
        "responses.too-many", "too many large responses to this address are not read yet");
  }

  private static Failure responsesBusy() {
    return Failure.unavailable("responses.busy", "too many large responses; try again later", null);
  }

  private void acquire(
      ServiceRequestContext ctx,
      Quota quota,
      long amount,
      Kind kind,
      Failure keyFull,
      Failure totalFull) {
    String key = key(ctx);
    require(quota.tryAcquire(key, amount), kind, keyFull, totalFull);
    ctx.log().whenComplete().thenRun(() -> quota.release(key, amount));
  }

  private void require(Outcome outcome, Kind kind, Failure keyFull, Failure totalFull) {
    if (outcome != Outcome.ACQUIRED) {
      refusals.count(kind);
      throw outcome == Outcome.KEY_FULL ? keyFull : totalFull;
    }
  }

  /// Counts memory of a request, until it is released.
  void acquireRequestBytes(String key, long amount) {
    require(
        requestBytes.tryAcquire(key, amount),
        Kind.REQUEST_BYTES,
        Failure.exhausted(
            "requests.too-many", "too many large requests of this address are in progress"),
        Failure.unavailable("requests.busy", "too many large requests; try again later", null));
  }

  void releaseRequestBytes(String key, long amount) {
    requestBytes.release(key, amount);
  }

  private void run() {
    long pause = Math.max(1, quotas.stall().toNanos() / CHECKS_PER_STALL);
    while (!closed) {
      LockSupport.parkNanos(pause);
      open.forEach(this::check);
    }
  }

  private void check(ServiceRequestContext ctx, Progress progress) {
    if (!ctx.log().isAvailable(RequestLogProperty.RESPONSE_START_TIME)) {
      return;
    }
    long pieces = progress.pieces.get();
    long now = nanos.getAsLong();
    if (pieces != progress.checked) {
      progress.checked = pieces;
      progress.since = now;
    } else if (now - progress.since > quotas.stall().toNanos()) {
      progress.since = now;
      reset(ctx, progress);
    }
  }

  private void reset(ServiceRequestContext ctx, Progress progress) {
    boolean alreadyReset = progress.wasReset;
    progress.wasReset = true;
    if (alreadyReset || !ctx.sessionProtocol().isMultiplex()) {
      closeConnection(ctx);
    } else {
      ctx.cancel();
    }
    if (!alreadyReset) {
      refusals.count(Kind.STALLED);
    }
  }

  /// A proxy's connection carries other clients' calls too.
  private static void closeConnection(ServiceRequestContext ctx) {
    Channel channel = channel(ctx);
    if (channel != null
        && ctx.remoteAddress() instanceof InetSocketAddress remote
        && ctx.clientAddress().equals(remote.getAddress())) {
      closeNow(channel);
    } else {
      ctx.cancel();
    }
  }

  /// Bypasses the HTTP/2 handler, which would wait for the streams that do not end.
  private static void closeNow(Channel channel) {
    ChannelHandlerContext first = channel.pipeline().firstContext();
    if (first == null) {
      channel.close();
    } else {
      first.close();
    }
  }

  private static @Nullable Channel channel(RequestContext ctx) {
    return ctx.log().isAvailable(RequestLogProperty.SESSION) ? ctx.log().partial().channel() : null;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(watch);
  }
}
