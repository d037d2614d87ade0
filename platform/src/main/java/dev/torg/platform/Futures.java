package dev.torg.platform;

import java.util.concurrent.CompletionException;

/// Helpers for completable futures.
public final class Futures {
  private Futures() {}

  /// The failure itself instead of the [CompletionException] that a dependent stage wraps around it.
  public static Throwable unwrap(Throwable error) {
    return error instanceof CompletionException && error.getCause() != null
        ? error.getCause()
        : error;
  }
}
