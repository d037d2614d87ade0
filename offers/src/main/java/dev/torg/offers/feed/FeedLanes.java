package dev.torg.offers.feed;

import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.platform.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// Distributes the entries of an upload to a few lanes, each of which writes its chunks in sequence.
/// Entries with the same external id go to one lane, in their order.
///
/// The adding thread blocks while its lane has a chunk queued, which throttles the sender of the feed. A
/// failure of a lane fails the upload at its next chunk.
final class FeedLanes {
  /// Maximum size of a chunk: at a few thousand bytes per item, as many items as a chunk may contain.
  private static final int MAX_BYTES = 1 << 20;

  /// Ends a lane.
  private static final List<FeedEntry> END = List.of();

  private final int chunk;
  private final Consumer<List<FeedEntry>> writer;
  private final List<Lane> lanes = new ArrayList<>();

  FeedLanes(int count, int chunk, Consumer<List<FeedEntry>> writer, Executor executor) {
    this.chunk = chunk;
    this.writer = writer;
    for (int i = 0; i < count; i++) {
      Lane lane = new Lane();
      lanes.add(lane);
      executor.execute(lane::run);
    }
  }

  void add(FeedEntry entry) throws InterruptedException {
    lanes.get(Math.floorMod(entry.externalId().hashCode(), lanes.size())).add(entry);
  }

  /// Writes the remaining entries and waits for all lanes. Rethrows the failure of a lane.
  void finish() throws InterruptedException {
    for (Lane lane : lanes) {
      lane.flush();
    }
    end();
    lanes.forEach(Lane::join);
  }

  /// Ends the lanes after their queued chunks.
  void end() throws InterruptedException {
    for (Lane lane : lanes) {
      lane.put(END);
    }
  }

  /// Ends the lanes without waiting; queued chunks are dropped. Must be called by the thread that adds
  /// entries.
  void drop() {
    lanes.forEach(Lane::drop);
  }

  private final class Lane {
    private final BlockingQueue<List<FeedEntry>> waiting = new ArrayBlockingQueue<>(1);
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private List<FeedEntry> filling = new ArrayList<>(chunk);
    private int bytes;

    void add(FeedEntry entry) throws InterruptedException {
      filling.add(entry);
      bytes += entry.bytes();
      if (filling.size() >= chunk || bytes >= MAX_BYTES) {
        flush();
      }
    }

    void flush() throws InterruptedException {
      if (!filling.isEmpty()) {
        put(filling);
        filling = new ArrayList<>(chunk);
        bytes = 0;
      }
      if (ended.isCompletedExceptionally()) {
        join();
      }
    }

    void put(List<FeedEntry> entries) throws InterruptedException {
      waiting.put(entries);
    }

    void drop() {
      waiting.clear();
      waiting.add(END);
    }

    /// A lane that has failed continues to accept chunks and drops them, so that the adding thread
    /// does not block.
    void run() {
      try {
        for (List<FeedEntry> next = waiting.take(); !next.isEmpty(); next = waiting.take()) {
          write(next);
        }
        ended.complete(true);
      } catch (InterruptedException e) {
        ended.completeExceptionally(e);
        Thread.currentThread().interrupt();
      }
    }

    private void write(List<FeedEntry> entries) {
      if (!ended.isDone()) {
        try {
          writer.accept(entries);
        } catch (RuntimeException | Error e) {
          ended.completeExceptionally(e);
        }
      }
    }

    void join() {
      try {
        ended.join();
      } catch (CompletionException e) {
        throw Futures.unwrap(e) instanceof RuntimeException cause ? cause : e;
      }
    }
  }
}
