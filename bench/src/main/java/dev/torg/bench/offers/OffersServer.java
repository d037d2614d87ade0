package dev.torg.bench.offers;

import dev.torg.bench.process.BenchServer;
import dev.torg.bench.wire.EmptyGrpc;
import dev.torg.bench.wire.NothingRequest;
import dev.torg.bench.wire.NothingResponse;
import dev.torg.server.config.Setting;
import dev.torg.server.route.RpcBinding;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;

/// The server of the benchmark: all of Torg, with the plain and the empty service on the same port.
public final class OffersServer {
  private OffersServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    BenchServer.serve(
        arguments,
        Map.of(Setting.ROLES, "api,relay,jobs"),
        (url, outbox) ->
            List.of(
                RpcBinding.blocking(new PlainOffers(url, outbox)), RpcBinding.async(new Empty())));
  }

  /// Responds immediately.
  private static final class Empty extends EmptyGrpc.EmptyImplBase {
    @Override
    public void nothing(NothingRequest request, StreamObserver<NothingResponse> response) {
      response.onNext(NothingResponse.getDefaultInstance());
      response.onCompleted();
    }
  }
}
