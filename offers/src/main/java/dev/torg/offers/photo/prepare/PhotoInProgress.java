package dev.torg.offers.photo.prepare;

import dev.torg.api.v1.PhotoRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// One photo of a batch, and how far it is.
final class PhotoInProgress {
  private final List<PhotoRequest> requests;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private volatile boolean fetching;

  /// @param requests all about this photo, in their order
  PhotoInProgress(List<PhotoRequest> requests) {
    this.requests = requests;
  }

  List<PhotoRequest> requests() {
    return requests;
  }

  /// Whether somebody else's server is waited for.
  boolean isFetching() {
    return fetching;
  }

  void fetching(boolean now) {
    fetching = now;
  }

  /// Ends as the work does.
  void run(Work work) {
    try {
      work.run();
      done.complete(null);
    } catch (Exception | Error e) {
      done.completeExceptionally(e);
    }
  }

  /// What there is to do.
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /// Whether it ends within the time; throws what it fails by.
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
