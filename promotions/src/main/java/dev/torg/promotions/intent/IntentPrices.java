package dev.torg.promotions.intent;

import dev.torg.api.v1.Offer;
import dev.torg.promotions.PaymentLine;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The prices of services, as the examination of intents needs them.
@FunctionalInterface
public interface IntentPrices {
  /// A line for each of the services, labelled with it, in one currency. Fails with a [dev.torg.platform.Failure]:
  /// UNAVAILABLE if the price may be obtained later, otherwise if there is none.
  CompletableFuture<List<PaymentLine>> lines(Offer offer, List<String> services);
}
