package dev.torg.promotions.price;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ListValue;
import com.google.protobuf.Value;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.Server;
import dev.torg.offers.category.CategoryFile;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.promotions.PriceSettings.PricingService;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Against a local pricing service.
class HttpPriceSourceTest {
  private static final HttpPriceSource.Timeouts LONG =
      new HttpPriceSource.Timeouts(
          Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofHours(1));

  private static final HttpPriceSource.Timeouts SHORT =
      new HttpPriceSource.Timeouts(
          Duration.ofSeconds(30), Duration.ofMillis(300), Duration.ofHours(1));

  private static final String PRICES =
      """
      {"prices":[{"service":"premium","price":{"amount":"900","currency":"EUR"}},
        {"service":"raise","price":{"amount":"250","currency":"EUR"},"durationSeconds":7200}]}
      """;

  private static final OfferParameters OFFER =
      new OfferParameters(
          TestOffers.ID,
          TestOffers.SELLER,
          "cars",
          "de/hessen",
          "A \"quoted\" car",
          Optional.of(new Money(649_000, "EUR")),
          Map.of(
              "brand", Value.newBuilder().setStringValue("VW").build(),
              "year", Value.newBuilder().setNumberValue(2014).build(),
              "damaged", Value.newBuilder().setBoolValue(false).build(),
              "extras",
                  Value.newBuilder()
                      .setListValue(
                          ListValue.newBuilder()
                              .addValues(Value.newBuilder().setStringValue("hook")))
                      .build()));

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final List<AggregatedHttpRequest> requests = new CopyOnWriteArrayList<>();
  private volatile Function<AggregatedHttpRequest, HttpResponse> answer =
      _ -> HttpResponse.of(MediaType.JSON_UTF_8, PRICES);
  private final Server server = start();
  private HttpPriceSource source = source(LONG, "secret");

  private Server start() {
    Server started =
        Server.builder()
            .http(0)
            .service(
                "prefix:/",
                (_, request) ->
                    HttpResponse.of(
                        request
                            .aggregate()
                            .thenApply(
                                received -> {
                                  requests.add(received);
                                  return answer.apply(received);
                                })))
            .build();
    started.start().join();
    return started;
  }

  private HttpPriceSource source(HttpPriceSource.Timeouts timeouts, String token) {
    URI url = URI.create("http://127.0.0.1:" + server.activeLocalPort() + "/prices?site=1");
    return new HttpPriceSource(
        new PricingService(url, token),
        PriceMatrixFile.defaults(CategoryFile.defaultTree()),
        timeouts,
        metrics);
  }

  @AfterEach
  void close() {
    source.close();
    var _ = server.closeAsync();
  }

  @Test
  void prices_answered_areThoseOfTheService() throws Exception {
    Map<String, PricedService> prices = source.prices(OFFER, Set.of("raise", "premium")).join();
    assertThat(prices)
        .containsOnly(
            Map.entry("raise", new PricedService(new Money(250, "EUR"), Duration.ofHours(2))),
            Map.entry("premium", new PricedService(new Money(900, "EUR"), Duration.ofDays(7))));
    AggregatedHttpRequest request = requests.getFirst();
    assertThat(request.method().name() + " " + request.path()).isEqualTo("POST /prices?site=1");
    assertThat(request.headers().get("authorization")).isEqualTo("Bearer secret");
    assertThat(request.contentType()).isEqualTo(MediaType.JSON_UTF_8);
    assertThat(new ObjectMapper().readTree(request.contentUtf8()).path("offer"))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"id":"0070000000000013","sellerId":"user:42","category":"cars",
                     "region":"de/hessen","title":"A \\"quoted\\" car",
                     "price":{"amount":"649000","currency":"EUR"},
                     "attributes":{"brand":"VW","year":2014.0,"damaged":false,"extras":["hook"]}}
                    """));
    assertThat(new ObjectMapper().readTree(request.contentUtf8()).path("services"))
        .map(node -> node.textValue())
        .containsExactlyInAnyOrder("raise", "premium");
  }

  @Test
  void prices_noToken_sendsNone() {
    source.close();
    source = source(LONG, "");
    source.prices(OFFER, Set.of("raise", "premium")).join();
    assertThat(requests.getFirst().headers().contains(HttpHeaderNames.AUTHORIZATION)).isFalse();
  }

  @Test
  void prices_badAnswers_areUnavailable() {
    unavailable(HttpResponse.of(HttpStatus.INTERNAL_SERVER_ERROR));
    unavailable(HttpResponse.of(HttpStatus.NO_CONTENT));
    unavailable(HttpResponse.of(HttpStatus.CREATED, MediaType.JSON_UTF_8, PRICES));
    unavailable(HttpResponse.of(MediaType.JSON_UTF_8, "{\"prices\":[]}"));
    unavailable(HttpResponse.of(MediaType.JSON_UTF_8, PRICES + " ".repeat(40_000)));
    unavailable(
        HttpResponse.of(
            ResponseHeaders.of(HttpStatus.TEMPORARY_REDIRECT, HttpHeaderNames.LOCATION, "/other")));
    assertThat(requests).extracting(AggregatedHttpRequest::path).containsOnly("/prices?site=1");
    assertThat(metrics.timer("torg.promotions.prices", "outcome", "failed").count()).isEqualTo(6);
  }

  private void unavailable(HttpResponse response) {
    answer = _ -> response;
    Failure failure = failure();
    assertThat(failure.code()).isEqualTo("promotion.price-unavailable");
    assertThat(failure.kind()).isEqualTo(Failure.Kind.UNAVAILABLE);
  }

  private Failure failure() {
    try {
      source.prices(OFFER, Set.of("raise", "premium")).join();
      throw new AssertionError("not refused");
    } catch (CompletionException e) {
      return (Failure) e.getCause();
    }
  }

  @Test
  void prices_noAnswer_isUnavailableAfterTheTimeout() {
    source.close();
    source = source(SHORT, "");
    answer = _ -> HttpResponse.streaming();
    assertThat(failure().code()).isEqualTo("promotion.price-unavailable");
  }

  @Test
  void prices_connectionRefused_isUnavailable() {
    server.stop().join();
    assertThat(failure().code()).isEqualTo("promotion.price-unavailable");
  }

  /// After ten failures the service is not called any more.
  @Test
  void prices_serviceKeepsFailing_isNotCalledForAWhile() {
    answer = _ -> HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE);
    for (int i = 0; i < 15; i++) {
      assertThat(failure().code()).isEqualTo("promotion.price-unavailable");
    }
    assertThat(requests).hasSize(10);
    assertThat(metrics.timer("torg.promotions.prices", "outcome", "breaker-open").count())
        .isEqualTo(5);
  }
}
