package dev.torg.bench.offers;

import dev.torg.bench.wire.EmptyGrpc;
import dev.torg.bench.wire.NothingRequest;
import dev.torg.bench.wire.NothingResponse;
import dev.torg.server.Rpc;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.Settings;
import dev.torg.server.run.Torg;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The server of the benchmark: all of Torg, with the plain and the empty service on the same port.
public final class OffersServer {
  private OffersServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    Map<Setting, String> options =
        Map.of(
            Setting.DATA, arguments[0],
            Setting.PORT, "0",
            Setting.RATE_LIMIT, "1000000",
            Setting.ROLES, "api,relay,jobs",
            Setting.LOG_LEVEL, "warn");
    Configuration configuration =
        Configuration.of(Settings.read(options, Map.of(), Optional.empty()));
    Torg torg =
        Torg.start(
            configuration,
            System.err::println,
            (url, outbox) ->
                List.of(Rpc.blocking(new PlainOffers(url, outbox)), Rpc.async(new Empty())));
    System.exit(torg.awaitEnd());
  }

  /// Answers at once.
  private static final class Empty extends EmptyGrpc.EmptyImplBase {
    @Override
    public void nothing(NothingRequest request, StreamObserver<NothingResponse> answer) {
      answer.onNext(NothingResponse.getDefaultInstance());
      answer.onCompleted();
    }
  }
}
