package dev.torg.promotions.service;

import dev.torg.platform.Money;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.ServiceTerm;
import dev.torg.promotions.price.ServiceCatalog;
import dev.torg.promotions.price.ServiceDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What is bought with a service: the service itself and, of a bundle, its parts.
public final class CatalogLines {
  private final ServiceCatalog catalog;

  public CatalogLines(ServiceCatalog catalog) {
    this.catalog = catalog;
  }

  /// A service that the catalog no longer has activates itself only.
  public PaymentLine of(String service, Money price, Duration duration) {
    List<ServiceTerm> terms = new ArrayList<>();
    catalog
        .find(service)
        .ifPresentOrElse(
            definition ->
                catalog.activatedBy(definition).forEach(name -> terms.add(term(name, duration))),
            () -> terms.add(new ServiceTerm(service, duration, false)));
    return new PaymentLine(service, price, terms);
  }

  private ServiceTerm term(String name, Duration duration) {
    return new ServiceTerm(name, duration, isExtendable(name));
  }

  boolean isExtendable(String name) {
    return catalog.find(name).map(ServiceDefinition::extendable).orElse(false);
  }
}
