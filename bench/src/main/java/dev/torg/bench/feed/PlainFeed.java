package dev.torg.bench.feed;

import dev.torg.bench.wire.PlainFeedDone;
import dev.torg.bench.wire.PlainFeedGrpc;
import dev.torg.bench.wire.PlainFeedRequest;
import dev.torg.platform.db.Database;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.rpc.CurrentCaller;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// The baseline: the same rules, rows and events, written as most services are: each item has its own
/// transaction and sends its statements one by one. Several items may be in flight, which is more than a plain
/// loop has.
final class PlainFeed extends PlainFeedGrpc.PlainFeedImplBase {
  private static final int MAX_WORKERS = 16;

  private final Database database;
  private final Outbox outbox;

  PlainFeed(String url, Outbox outbox) {
    this.database = Database.connect(url, MAX_WORKERS);
    this.outbox = outbox;
  }

  @Override
  public void run(PlainFeedRequest request, StreamObserver<PlainFeedDone> response) {
    FeedItems items =
        new FeedItems(
            request.getItems(),
            (int) request.getTaskId(),
            request.getChangedEvery(),
            request.getGoneEvery());
    PlainItem writer =
        new PlainItem(database, outbox, CurrentCaller.required().subject(), request.getTaskId());
    long start = System.nanoTime();
    each(items, writer, Math.clamp(request.getWorkers(), 1, MAX_WORKERS));
    writer.removeOlder();
    response.onNext(writer.done().setSeconds((System.nanoTime() - start) / 1e9).build());
    response.onCompleted();
  }

  private static void each(FeedItems items, PlainItem writer, int workerCount) {
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < workerCount; i++) {
        workers.execute(
            () -> {
              for (int n = next.getAndIncrement(); n < items.count(); n = next.getAndIncrement()) {
                if (items.has(n)) {
                  writer.write(items.offer(n));
                }
              }
            });
      }
    }
  }
}
