package dev.torg.server.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import dev.torg.api.v1.GetOfferRequest;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferServiceGrpc;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonCallTest {
  private final CountedCalls calls = new CountedCalls();

  @AfterEach
  void close() {
    calls.close();
  }

  /// A long body must not keep the other connections of its event loop waiting.
  @ParameterizedTest
  @CsvSource({"16384, false", "16385, true"})
  void body_aboveSixteenKilobytes_isReadOffTheEventLoop(int bytes, boolean background)
      throws Exception {
    CompletableFuture<Thread> reading = new CompletableFuture<>();
    CompletableFuture<Thread> received = new CompletableFuture<>();
    HttpRequest request =
        HttpRequest.of(HttpMethod.POST, "/v1/offers", MediaType.JSON, " ".repeat(bytes));
    new JsonCall<>(method(received), calls.context(request), new JsonResponses(1 << 20))
        .run(
            request,
            _ -> {
              reading.complete(Thread.currentThread());
              return GetOfferRequest.getDefaultInstance();
            });
    assertThat(reading.get(10, TimeUnit.SECONDS).isVirtual()).isEqualTo(background);
    assertThat(received.get(10, TimeUnit.SECONDS).isVirtual()).isFalse();
  }

  private static ServerMethodDefinition<GetOfferRequest, Offer> method(
      CompletableFuture<Thread> received) {
    return ServerMethodDefinition.create(
        OfferServiceGrpc.getGetOfferMethod(),
        (_, _) ->
            new ServerCall.Listener<>() {
              @Override
              public void onMessage(GetOfferRequest message) {
                received.complete(Thread.currentThread());
              }
            });
  }
}
