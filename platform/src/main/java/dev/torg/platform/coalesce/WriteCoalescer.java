package dev.torg.platform.coalesce;

import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Merges concurrent writes into transactions of many items. Each caller receives the outcome of its own item
/// only, once it is durable; items of equal [order][WriteHandler#orderingKey] are written in order of arrival.
public final class WriteCoalescer<I, O> implements AutoCloseable {
  private final WriteHandler<I, O> handler;
  private final WriteBatchRunner<I, O> batches;
  private final CoalescerMetrics metrics;
  private final LaneSet<Pending<I, O>> lanes;

  public WriteCoalescer(
      CoalescerSettings settings,
      Database database,
      WriteHandler<I, O> handler,
      MeterRegistry registry) {
    this.handler = handler;
    this.metrics = new CoalescerMetrics(registry, settings.name());
    this.batches = new WriteBatchRunner<>(database, handler, metrics);
    this.lanes = LaneSet.ordered(settings, Pending::caller, this::run);
    metrics.watch(lanes::waiting);
  }

  /// The future completes on a worker's thread; dependent stages must not block. It fails with a [Failure]: the
  /// item's own, EXHAUSTED when too many items wait, UNAVAILABLE when the database is unavailable or it is
  /// unknown whether the item was applied.
  public CompletableFuture<O> submit(I item) {
    Pending<I, O> pending = new Pending<>(item);
    Failure refused = lanes.add(pending, handler.home(item), handler.orderingKey(item));
    if (refused != null) {
      pending.completeExceptionally(refused);
    }
    return pending;
  }

  /// Applies all accepted items, and rejects further ones.
  @Override
  public void close() {
    lanes.close();
  }

  private void run(List<Pending<I, O>> batch) {
    long startNanos = System.nanoTime();
    batches.run(batch);
    metrics.ran(batch.size(), batch.getFirst().sinceNanos(), startNanos);
  }
}
