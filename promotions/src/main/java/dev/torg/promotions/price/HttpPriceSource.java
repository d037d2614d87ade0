package dev.torg.promotions.price;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.torg.platform.Failure;
import dev.torg.platform.Futures;
import dev.torg.promotions.PriceSettings.PricingService;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks a pricing service. A call is bounded in time and size and follows no redirect; calls in flight are bounded, and a
/// circuit breaker stops calling a service that fails. Whatever goes wrong, the caller's failure is the same UNAVAILABLE,
/// and the reason is in the log and in the metric `torg.promotions.prices`.
public final class HttpPriceSource implements PriceSource {
  private static final Logger LOG = LoggerFactory.getLogger(HttpPriceSource.class);
  private static final int MAX_RESPONSE_BYTES = 32 * 1024;
  private static final int MAX_CALLS_IN_FLIGHT = 200;

  /// Of the last calls, half of which must fail to open the breaker.
  private static final int BREAKER_WINDOW_CALLS = 50;

  private static final int MIN_BREAKER_CALLS = 10;

  /// Calls that decide whether the service has recovered.
  private static final int TRIAL_CALLS = 5;

  private final PricingService service;
  private final PriceMatrix matrix;
  private final ClientFactory factory;
  private final WebClient client;
  private final CircuitBreaker breaker;
  private final Semaphore calls = new Semaphore(MAX_CALLS_IN_FLIGHT);
  private final MeterRegistry metrics;

  /// @param connect until a connection is open
  /// @param call until the response has arrived
  /// @param breaker how long an open circuit breaker waits before it tries again
  public record Timeouts(Duration connect, Duration call, Duration breaker) {
    /// A person waits for the quote.
    public static Timeouts defaults() {
      return new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(10));
    }
  }

  /// @param matrix has the durations for which the service states none
  public HttpPriceSource(
      PricingService service, PriceMatrix matrix, Timeouts timeouts, MeterRegistry metrics) {
    this.service = service;
    this.matrix = matrix;
    this.metrics = metrics;
    this.factory =
        ClientFactory.builder().connectTimeout(timeouts.connect()).useHttp2Preface(false).build();
    this.client =
        WebClient.builder()
            .factory(factory)
            .writeTimeout(timeouts.call())
            .responseTimeout(timeouts.call())
            .maxResponseLength(MAX_RESPONSE_BYTES)
            .build();
    this.breaker = breaker(timeouts.breaker());
  }

  private static CircuitBreaker breaker(Duration wait) {
    CircuitBreaker breaker =
        CircuitBreaker.of(
            "prices",
            CircuitBreakerConfig.custom()
                .slidingWindowSize(BREAKER_WINDOW_CALLS)
                .minimumNumberOfCalls(MIN_BREAKER_CALLS)
                .waitDurationInOpenState(wait)
                .permittedNumberOfCallsInHalfOpenState(TRIAL_CALLS)
                .build());
    breaker
        .getEventPublisher()
        .onStateTransition(
            event -> LOG.warn("the pricing service: {}", event.getStateTransition()));
    return breaker;
  }

  @Override
  public CompletableFuture<Map<String, PricedService>> prices(
      OfferParameters offer, Set<String> services) {
    HttpRequest request = request(offer, services);
    if (!calls.tryAcquire()) {
      return refused("too-many-calls");
    }
    if (!breaker.tryAcquirePermission()) {
      calls.release();
      return refused("breaker-open");
    }
    long start = System.nanoTime();
    return client
        .execute(request)
        .aggregate()
        .thenApply(response -> prices(response, offer, services))
        .handle((prices, error) -> finished(prices, error, start));
  }

  private CompletableFuture<Map<String, PricedService>> refused(String outcome) {
    timer(outcome).record(Duration.ZERO);
    return CompletableFuture.failedFuture(PriceSource.unavailable(null));
  }

  private HttpRequest request(OfferParameters offer, Set<String> services) {
    RequestHeadersBuilder headers =
        RequestHeaders.builder(HttpMethod.POST, service.url().toString())
            .contentType(MediaType.JSON_UTF_8)
            .set(HttpHeaderNames.ACCEPT, "application/json")
            .set(HttpHeaderNames.USER_AGENT, "Torg");
    if (!service.token().isEmpty()) {
      headers.set(HttpHeaderNames.AUTHORIZATION, "Bearer " + service.token());
    }
    return HttpRequest.of(headers.build(), HttpData.ofUtf8(PricingRequest.json(offer, services)));
  }

  private Map<String, PricedService> prices(
      AggregatedHttpResponse response, OfferParameters offer, Set<String> services) {
    if (!response.status().equals(HttpStatus.OK)) {
      throw new PricingResponse.InvalidResponseException("HTTP " + response.status().code());
    }
    return PricingResponse.parse(
        response.contentUtf8(), services, service -> matrix.duration(offer, service));
  }

  private Map<String, PricedService> finished(
      @Nullable Map<String, PricedService> prices, @Nullable Throwable error, long start) {
    calls.release();
    long elapsed = System.nanoTime() - start;
    if (prices != null) {
      breaker.onSuccess(elapsed, TimeUnit.NANOSECONDS);
      timer("ok").record(elapsed, TimeUnit.NANOSECONDS);
      return prices;
    }
    throw failed(Futures.unwrap(error == null ? new IllegalStateException() : error), elapsed);
  }

  private Failure failed(Throwable cause, long elapsed) {
    breaker.onError(elapsed, TimeUnit.NANOSECONDS, cause);
    timer("failed").record(elapsed, TimeUnit.NANOSECONDS);
    LOG.warn("the pricing service {} gave no prices: {}", service.url(), cause.toString());
    return PriceSource.unavailable(cause);
  }

  private Timer timer(String outcome) {
    return metrics.timer("torg.promotions.prices", "outcome", outcome);
  }

  @Override
  public void close() {
    factory.close();
  }
}
