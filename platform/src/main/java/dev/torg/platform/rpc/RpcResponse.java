package dev.torg.platform.rpc;

import dev.torg.platform.Futures;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// Sends a future's outcome as the response of a unary RPC. Failures are passed on unchanged to the server's error mapping.
public final class RpcResponse {
  private RpcResponse() {}

  public static <T, R> void complete(
      StreamObserver<R> observer, CompletableFuture<T> future, Function<T, R> encode) {
    future
        .thenApply(encode)
        .whenComplete(
            (response, error) -> {
              if (error != null) {
                observer.onError(Futures.unwrap(error));
              } else {
                observer.onNext(response);
                observer.onCompleted();
              }
            });
  }
}
