package dev.torg.server.run;

import dev.torg.platform.Failure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Closes what has been started, in reverse order. A part that fails to close does not prevent the
/// others from closing.
///
/// A shutdown may be requested while the start is in progress (Ctrl-C): the start then stops after
/// the current part, and the shutdown waits for that part, so that it is closed in order too.
final class ShutdownStack implements AutoCloseable {
  /// Longer than any part takes to start on a slow disk.
  private static final Duration STARTUP_WAIT_TIMEOUT = Duration.ofMinutes(1);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final CountDownLatch startFinished = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean shutdownRequested;
  private volatile boolean failed;

  /// Registers a running part; fails when a shutdown has been requested meanwhile.
  synchronized <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    if (shutdownRequested) {
      throw Failure.unavailable("torg.ended", "ended while starting", null);
    }
    return part;
  }

  /// The start has ended, successfully or not.
  void startEnded() {
    startFinished.countDown();
  }

  /// Closes everything, also in the middle of the start.
  void end() {
    shutdownRequested = true;
    try {
      if (!startFinished.await(STARTUP_WAIT_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        log().warn("the start did not end in time; closing what it has started");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close();
  }

  /// Closes everything because the process cannot continue.
  void fail(String reason) {
    log().error("{}; Torg ends", reason);
    failed = true;
    end();
  }

  /// Waits for the end; returns the exit code.
  int await() throws InterruptedException {
    ended.await();
    return failed ? 1 : 0;
  }

  @Override
  public synchronized void close() {
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        log().warn("{} did not end well", part.getClass().getSimpleName(), e);
      }
    }
    ended.countDown();
  }

  /// Created lazily: the first logger must not be created before the log is configured.
  private static Logger log() {
    return LoggerFactory.getLogger(ShutdownStack.class);
  }
}
