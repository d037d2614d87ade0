package dev.torg.queries;

import com.google.common.hash.Hashing;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import java.nio.charset.StandardCharsets;

/// A price as an eight-byte hash, compared with the price that a user was last notified of: the first eight
/// bytes of the SHA-256 of text such as `129900 EUR`, little-endian; 0 for an offer without a price.
public final class PriceHash {
  private PriceHash() {}

  public static long of(Offer offer) {
    return offer.hasPrice() ? of(offer.getPrice()) : 0;
  }

  public static long of(Money price) {
    String text = price.getAmount() + " " + price.getCurrency();
    return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asLong();
  }
}
