package dev.torg.promotions.intent;

import dev.torg.offers.ExternalId;
import dev.torg.platform.Home;
import java.util.Comparator;

/// The seller and the external id that an intent is about.
public record IntentKey(String seller, String externalId) {
  /// The order of the primary key, in which intents are locked.
  static final Comparator<IntentKey> ORDER =
      Comparator.comparing(IntentKey::home)
          .thenComparing(IntentKey::seller)
          .thenComparing(IntentKey::externalId);

  Home home() {
    return Home.of(seller);
  }

  ExternalId ofOffer() {
    return new ExternalId(seller, externalId);
  }
}
