package dev.torg.photos.prepare;

import dev.torg.api.v1.PhotoRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// One photo of a batch and its progress.
final class PhotoInProgress {
  private final List<PhotoRequest> requests;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private volatile boolean fetching;

  /// @param requests the requests for this photo, in order
  PhotoInProgress(List<PhotoRequest> requests) {
    this.requests = requests;
  }

  List<PhotoRequest> requests() {
    return requests;
  }

  /// Whether it is waiting for an external server.
  boolean isFetching() {
    return fetching;
  }

  void fetching(boolean now) {
    fetching = now;
  }

  /// Completes with the result of the work.
  void run(Work work) {
    try {
      work.run();
      done.complete(null);
    } catch (Exception | Error e) {
      done.completeExceptionally(e);
    }
  }

  /// Prepares the photo.
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /// Returns whether the work ends within the time; rethrows its failure.
  boolean endsWithin(Duration time) throws Exception {
    try {
      done.get(Math.max(1, time.toMillis()), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  void whenDone(Runnable then) {
    done.whenComplete((_, _) -> then.run());
  }
}
