package dev.torg.platform.coalesce;

import dev.torg.platform.Failure;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Counts what waits in all lanes of a coalescer, and turns away what is too much or too late.
///
/// An item is counted before the door is looked at. So once the door is closed and the count is
/// zero, nothing is on its way into a lane any more.
final class Backlog {
  private final String name;
  private final int capacity;
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean closed;

  Backlog(String name, int capacity) {
    this.name = name;
    this.capacity = capacity;
  }

  /// Counts one item in, or says why not.
  @Nullable Failure enter() {
    int count = waiting.incrementAndGet();
    if (count <= capacity && !closed) {
      return null;
    }
    waiting.decrementAndGet();
    return closed
        ? Failure.unavailable("server.stopping", "the server is stopping, try again", null)
        : Failure.exhausted(name + ".full", "too many requests are waiting, try again later");
  }

  void leave(int items) {
    waiting.addAndGet(-items);
  }

  int size() {
    return waiting.get();
  }

  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  boolean isDrained() {
    return closed && waiting.get() == 0;
  }
}
