package dev.torg.promotions.intent;

import dev.torg.api.v1.Offer;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.ServiceTerm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/// The same prices for every offer; counts how often they are asked for.
final class FixedPrices implements IntentPrices {
  private static final Map<String, Long> CENTS =
      Map.of("raise", 200L, "highlight", 300L, "premium", 500L, "turbo", 900L);

  static final Duration DURATION = Duration.ofDays(7);
  static final Set<String> SERVICES = CENTS.keySet();

  final AtomicInteger requests = new AtomicInteger();
  private volatile Optional<Failure> failure = Optional.empty();

  void failWith(Failure next) {
    failure = Optional.of(next);
  }

  void recover() {
    failure = Optional.empty();
  }

  @Override
  public CompletableFuture<List<PaymentLine>> lines(Offer offer, List<String> services) {
    requests.incrementAndGet();
    Optional<Failure> current = failure;
    return current.isPresent()
        ? CompletableFuture.failedFuture(current.get())
        : CompletableFuture.completedFuture(services.stream().map(FixedPrices::line).toList());
  }

  private static PaymentLine line(String service) {
    List<String> activated =
        service.equals("turbo")
            ? List.of("turbo", "raise", "highlight", "premium")
            : List.of(service);
    return new PaymentLine(
        service,
        new Money(CENTS.get(service), "EUR"),
        activated.stream().map(name -> new ServiceTerm(name, DURATION, false)).toList());
  }
}
