package dev.torg.promotions.quote;

import dev.torg.platform.identity.MessageAuthenticator;
import dev.torg.promotions.price.OfferParameters;
import dev.torg.promotions.price.PriceSource;
import dev.torg.promotions.price.PricedService;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedCollection;
import java.util.concurrent.CompletableFuture;

/// Determines the prices of services for an offer and signs them. The caller has checked that the services exist and can
/// be bought.
public final class QuoteIssuer {
  private static final int NONCE_BYTES = 8;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final PriceSource prices;
  private final MessageAuthenticator authenticator;
  private final InstantSource clock;

  /// A quote and its token.
  public record SignedQuote(Quote quote, String token) {}

  public QuoteIssuer(PriceSource prices, MessageAuthenticator authenticator, InstantSource clock) {
    this.prices = prices;
    this.authenticator = authenticator;
    this.clock = clock;
  }

  /// A quote to the offer's seller, its lines in the order of the services. The future may complete on a thread of the
  /// price source, so dependent stages must not block.
  public CompletableFuture<SignedQuote> issue(
      OfferParameters offer, SequencedCollection<String> services) {
    return prices
        .prices(offer, new LinkedHashSet<>(services))
        .thenApply(priced -> sign(offer, lines(services, priced)));
  }

  private static List<QuoteLine> lines(
      SequencedCollection<String> services, Map<String, PricedService> priced) {
    return services.stream()
        .map(
            service -> {
              PricedService found = priced.get(service);
              if (found == null) {
                throw new IllegalStateException("the price source has no price of " + service);
              }
              return new QuoteLine(service, found.price(), found.duration());
            })
        .toList();
  }

  private SignedQuote sign(OfferParameters offer, List<QuoteLine> lines) {
    Instant expiresAt = clock.instant().plus(Quote.LIFETIME).truncatedTo(ChronoUnit.MILLIS);
    Quote quote = new Quote(offer.seller(), offer.id(), lines, expiresAt, nonce());
    return new SignedQuote(quote, QuoteToken.sign(authenticator, quote));
  }

  private static String nonce() {
    byte[] bytes = new byte[NONCE_BYTES];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
