package dev.torg.server.upload;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.platform.StallTimeout;
import io.netty.channel.EventLoop;
import java.io.FilterInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// The body of a request that is abandoned when a reader waits for it and almost nothing arrives: a stalled
/// sender must not hold what others wait for. Time in which no thread reads does not count.
public final class StallDetectingInputStream extends FilterInputStream {
  /// How often a stall is checked for within the timeout.
  private static final int CHECKS_PER_TIMEOUT = 4;

  private static final long NOT_READING = 0;

  private final EventLoop loop;
  private final HttpRequest request;
  private final Duration timeout;
  private final StallTimeout stallTimeout;
  private final Future<?> watch;
  private volatile long waitingSince = NOT_READING;

  private StallDetectingInputStream(
      ServiceRequestContext ctx, HttpRequest request, Duration timeout) {
    super(request.split().body().toInputStream(Function.identity()));
    this.loop = ctx.eventLoop();
    this.request = request;
    this.timeout = timeout;
    this.stallTimeout = new StallTimeout(timeout);
    long pollInterval = timeout.toMillis() / CHECKS_PER_TIMEOUT;
    this.watch =
        loop.scheduleAtFixedRate(this::check, pollInterval, pollInterval, TimeUnit.MILLISECONDS);
  }

  public static StallDetectingInputStream of(
      ServiceRequestContext ctx, HttpRequest request, Duration timeout) {
    return new StallDetectingInputStream(ctx, request, timeout);
  }

  /// Abandons the body after the timeout in any case: a waiting read then fails.
  void abortAfter(Duration time) {
    loop.schedule(
        () -> request.abort(new IOException("not read to its end within " + time)),
        time.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  @Override
  public int read() throws IOException {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    long start = System.nanoTime() | 1;
    waitingSince = start;
    try {
      int count = super.read(buffer, offset, length);
      stallTimeout.received(Math.max(0, count), System.nanoTime() - start);
      return count;
    } finally {
      waitingSince = NOT_READING;
    }
  }

  @Override
  public void close() throws IOException {
    watch.cancel(false);
    super.close();
  }

  private void check() {
    long since = waitingSince;
    if (since != NOT_READING && System.nanoTime() - since > stallTimeout.remaining()) {
      request.abort(new IOException("almost nothing was received for " + timeout));
    }
  }
}
