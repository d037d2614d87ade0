package dev.torg.promotions.price;

import dev.torg.offers.category.Categories;
import dev.torg.platform.Money;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Prices and durations of services by category and region.
///
/// Of the rows that apply to an offer, the one with the most specific category decides; among those of one category, the
/// one with the most specific region. A row need not have every service and currency: each value is taken from the most
/// specific row that has it.
///
/// The currency is that of the offer's price if the matrix has prices of all requested services in it, otherwise the
/// default currency, in which every service has a price.
public final class PriceMatrix {
  private final Categories categories;
  private final String defaultCurrency;
  private final ServiceCatalog services;
  private final List<PriceRow> rows;

  PriceMatrix(
      Categories categories, String defaultCurrency, ServiceCatalog services, List<PriceRow> rows) {
    this.categories = categories;
    this.defaultCurrency = defaultCurrency;
    this.services = services;
    this.rows = List.copyOf(rows);
  }

  public ServiceCatalog services() {
    return services;
  }

  /// The prices of services that the catalog has.
  public Map<String, PricedService> prices(OfferParameters offer, Set<String> requested) {
    List<PriceRow> applying = applying(offer);
    String currency =
        offer
            .price()
            .map(Money::currency)
            .filter(own -> requested.stream().allMatch(s -> amount(applying, own, s).isPresent()))
            .orElse(defaultCurrency);
    Map<String, PricedService> prices = new LinkedHashMap<>();
    for (String service : requested) {
      long amount = amount(applying, currency, service).orElseThrow();
      prices.put(
          service, new PricedService(new Money(amount, currency), duration(applying, service)));
    }
    return prices;
  }

  /// How long a service lasts for an offer.
  public Duration duration(OfferParameters offer, String service) {
    return duration(applying(offer), service);
  }

  /// The most specific row first.
  private List<PriceRow> applying(OfferParameters offer) {
    List<String> path = path(offer.category());
    Comparator<PriceRow> order =
        Comparator.<PriceRow>comparingInt(row -> distance(path, row))
            .thenComparing(Comparator.comparingInt(PriceRow::regionDepth).reversed());
    return rows.stream().filter(row -> row.applies(path, offer.region())).sorted(order).toList();
  }

  /// The category and its ancestors. A category that is no longer in the tree is alone.
  private List<String> path(String category) {
    List<String> path = new ArrayList<>();
    Optional<String> next = Optional.of(category);
    while (next.isPresent()) {
      path.add(next.get());
      next = categories.parent(next.get());
    }
    return path;
  }

  private static int distance(List<String> path, PriceRow row) {
    return row.category().map(path::indexOf).orElse(path.size());
  }

  private static Optional<Long> amount(List<PriceRow> applying, String currency, String service) {
    return first(applying, row -> row.prices().getOrDefault(currency, Map.of()).get(service));
  }

  private Duration duration(List<PriceRow> applying, String service) {
    return first(applying, row -> row.durations().get(service))
        .orElseGet(() -> services.find(service).orElseThrow().duration());
  }

  private static <T> Optional<T> first(
      List<PriceRow> applying, Function<PriceRow, @Nullable T> value) {
    return applying.stream()
        .flatMap(row -> Optional.ofNullable(value.apply(row)).stream())
        .findFirst();
  }
}
