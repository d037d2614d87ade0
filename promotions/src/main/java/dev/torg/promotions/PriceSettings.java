package dev.torg.promotions;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/// Where the prices of services come from.
///
/// @param matrix the operator's price matrix instead of the default one
/// @param service a pricing service that determines the prices; the matrix then defines the services and their default
///     durations
public record PriceSettings(Optional<Path> matrix, Optional<PricingService> service) {
  /// @param url where the parameters of offers are sent
  /// @param token the bearer token that the service expects; empty if it expects none
  public record PricingService(URI url, String token) {
    /// Without the token, which is a secret.
    @Override
    public String toString() {
      return "PricingService[url=" + url + "]";
    }
  }

  public static PriceSettings defaults() {
    return new PriceSettings(Optional.empty(), Optional.empty());
  }
}
