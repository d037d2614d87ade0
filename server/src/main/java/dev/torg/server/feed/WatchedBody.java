package dev.torg.server.feed;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.platform.Patience;
import io.netty.channel.EventLoop;
import java.io.FilterInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// The body of a request that is given up when somebody waits for it and next to nothing comes: a sender
/// who stalls must not hold what others wait for. Time in which nobody reads does not count.
final class WatchedBody extends FilterInputStream {
  /// How often in the time of silence somebody looks.
  private static final int LOOKS = 4;

  private static final long NOBODY = 0;

  private final EventLoop loop;
  private final HttpRequest request;
  private final Duration silence;
  private final Patience patience;
  private final Future<?> watch;
  private volatile long waitingSince = NOBODY;

  private WatchedBody(ServiceRequestContext ctx, HttpRequest request, Duration silence) {
    super(request.split().body().toInputStream(Function.identity()));
    this.loop = ctx.eventLoop();
    this.request = request;
    this.silence = silence;
    this.patience = new Patience(silence);
    long look = silence.toMillis() / LOOKS;
    this.watch = loop.scheduleAtFixedRate(this::look, look, look, TimeUnit.MILLISECONDS);
  }

  static WatchedBody of(ServiceRequestContext ctx, HttpRequest request, Duration silence) {
    return new WatchedBody(ctx, request, silence);
  }

  /// Gives the body up after the time, whatever comes: a read that waits then fails.
  void abortAfter(Duration time) {
    loop.schedule(
        () -> request.abort(new IOException("not read to its end within " + time)),
        time.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    long start = System.nanoTime() | 1;
    waitingSince = start;
    try {
      int count = super.read(buffer, offset, length);
      patience.came(Math.max(0, count), System.nanoTime() - start);
      return count;
    } finally {
      waitingSince = NOBODY;
    }
  }

  @Override
  public void close() throws IOException {
    watch.cancel(false);
    super.close();
  }

  private void look() {
    long since = waitingSince;
    if (since != NOBODY && System.nanoTime() - since > patience.left()) {
      request.abort(new IOException("next to nothing has come for " + silence));
    }
  }
}
