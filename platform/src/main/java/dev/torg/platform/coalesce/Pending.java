package dev.torg.platform.coalesce;

import dev.torg.platform.rpc.CurrentCaller;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// An item and the future its caller holds, in one object. It records the caller of the RPC in progress on the
/// submitting thread, if there is one.
final class Pending<I, O> extends CompletableFuture<O> {
  private final I item;
  private final @Nullable String caller = CurrentCaller.ACCOUNTABLE.get();
  private final long sinceNanos = System.nanoTime();

  Pending(I item) {
    this.item = item;
  }

  I item() {
    return item;
  }

  /// The caller that the item is counted against while it waits.
  @Nullable String caller() {
    return caller;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /// Dependent stages are plain futures.
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
