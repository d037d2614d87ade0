package dev.torg.server.upload;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/// Reads what is left of refused uploads. Most clients read the response only after they have sent the whole body: one
/// whose connection is cut would not see the reason.
public final class RefusedBodies {
  /// How long the body of a refused upload is drained.
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

  /// Refused uploads whose bodies are drained concurrently; each takes a thread. Further ones get their
  /// response immediately.
  private static final int MAX_DRAINED_BODIES = 32;

  private final Semaphore slots = new Semaphore(MAX_DRAINED_BODIES);

  /// The body is abandoned at the timeout, also while a read waits for it.
  public void drain(StallDetectingInputStream body) {
    if (!slots.tryAcquire()) {
      return;
    }
    byte[] dropped = new byte[64 * 1024];
    try {
      body.abortAfter(DRAIN_TIMEOUT);
      while (body.read(dropped) >= 0) {
        // The data is discarded.
      }
    } catch (IOException e) {
      // The client is gone or too slow.
    } finally {
      slots.release();
    }
  }
}
