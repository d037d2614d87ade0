package dev.torg.server;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;

/// Receives a stream of responses: its first one, and the failure that ends it.
final class FirstResponse<T> implements StreamObserver<T> {
  final CompletableFuture<T> first = new CompletableFuture<>();
  final CompletableFuture<Throwable> failed = new CompletableFuture<>();

  @Override
  public void onNext(T response) {
    first.complete(response);
  }

  @Override
  public void onError(Throwable error) {
    failed.complete(error);
    first.completeExceptionally(error);
  }

  @Override
  public void onCompleted() {}
}
