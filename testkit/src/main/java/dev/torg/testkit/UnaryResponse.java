package dev.torg.testkit;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Receives the outcome of a unary RPC that a test calls in process.
public final class UnaryResponse<T> implements StreamObserver<T> {
  private final CompletableFuture<T> response = new CompletableFuture<>();

  @Override
  public void onNext(T value) {
    response.complete(value);
  }

  @Override
  public void onError(Throwable failure) {
    response.completeExceptionally(failure);
  }

  @Override
  public void onCompleted() {}

  /// The response, or the failure of the call.
  public T await() {
    return await(response);
  }

  /// The result of the future, or its failure.
  public static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
