package dev.torg.promotions.intent;

import dev.torg.api.v1.Offer;
import dev.torg.platform.Failure;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.price.OfferParameters;
import dev.torg.promotions.price.PriceSource;
import dev.torg.promotions.price.PricedService;
import dev.torg.promotions.price.ServiceCatalog;
import dev.torg.promotions.service.CatalogLines;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// The prices of the installation's price source. Intents of feeds may name services that do not exist: they have no price.
public final class SourcePrices implements IntentPrices {
  private final PriceSource source;
  private final ServiceCatalog catalog;
  private final CatalogLines lines;

  public SourcePrices(PriceSource source, ServiceCatalog catalog) {
    this.source = source;
    this.catalog = catalog;
    this.lines = new CatalogLines(catalog);
  }

  @Override
  public CompletableFuture<List<PaymentLine>> lines(Offer offer, List<String> services) {
    List<String> known =
        services.stream().distinct().filter(name -> catalog.find(name).isPresent()).toList();
    if (known.isEmpty()) {
      return CompletableFuture.failedFuture(
          Failure.notFound("promotion.service-unknown", "there is no such service"));
    }
    return source
        .prices(OfferParameters.of(offer), Set.copyOf(known))
        .thenApply(prices -> known.stream().map(name -> line(name, prices)).toList());
  }

  private PaymentLine line(String service, Map<String, PricedService> prices) {
    PricedService priced =
        Objects.requireNonNull(prices.get(service), "a price of each service was requested");
    return lines.of(service, priced.price(), priced.duration());
  }
}
