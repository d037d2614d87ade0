package dev.torg.platform.rpc;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/// Sends a future's outcome as the answer of a unary RPC. Failures go to the server's one mapping of errors as they are.
public final class RpcResponse {
  private RpcResponse() {}

  public static <T, R> void complete(
      StreamObserver<R> observer, CompletableFuture<T> future, Function<T, R> encode) {
    future
        .thenApply(encode)
        .whenComplete(
            (answer, error) -> {
              if (error != null) {
                observer.onError(unwrap(error));
              } else {
                observer.onNext(answer);
                observer.onCompleted();
              }
            });
  }

  private static Throwable unwrap(Throwable error) {
    return error instanceof CompletionException && error.getCause() != null
        ? error.getCause()
        : error;
  }
}
