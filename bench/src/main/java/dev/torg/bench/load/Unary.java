package dev.torg.bench.load;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// A unary gRPC response as a future.
public final class Unary<T> implements StreamObserver<T> {
  private final CompletableFuture<T> future = new CompletableFuture<>();

  private Unary() {}

  public static <T> CompletableFuture<T> future(Consumer<StreamObserver<T>> call) {
    Unary<T> response = new Unary<>();
    call.accept(response);
    return response.future;
  }

  @Override
  public void onNext(T value) {
    future.complete(value);
  }

  @Override
  public void onError(Throwable error) {
    future.completeExceptionally(error);
  }

  @Override
  public void onCompleted() {}
}
