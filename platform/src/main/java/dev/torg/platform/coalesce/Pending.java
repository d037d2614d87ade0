package dev.torg.platform.coalesce;

import java.util.concurrent.CompletableFuture;

/// An item and the future its caller holds, in one object.
final class Pending<I, O> extends CompletableFuture<O> {
  private final I item;
  private final long sinceNanos = System.nanoTime();

  Pending(I item) {
    this.item = item;
  }

  I item() {
    return item;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /// What a caller derives from it is a plain future.
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
