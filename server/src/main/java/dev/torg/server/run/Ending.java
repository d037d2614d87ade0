package dev.torg.server.run;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What has been started, to be ended in the opposite order. One part that cannot end does not keep the others.
final class Ending implements AutoCloseable {
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  synchronized <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
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
  }

  /// Made late: the first logger must not be made before the log is configured.
  private static Logger log() {
    return LoggerFactory.getLogger(Ending.class);
  }
}
