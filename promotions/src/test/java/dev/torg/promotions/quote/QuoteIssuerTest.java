package dev.torg.promotions.quote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.offers.category.CategoryFile;
import dev.torg.platform.identity.MessageAuthenticator;
import dev.torg.platform.identity.SigningKeys;
import dev.torg.promotions.price.MatrixPriceSource;
import dev.torg.promotions.price.OfferParameters;
import dev.torg.promotions.price.PriceMatrix;
import dev.torg.promotions.price.PriceMatrixFile;
import dev.torg.promotions.price.PriceSource;
import dev.torg.promotions.price.TestOffers;
import dev.torg.promotions.quote.QuoteIssuer.SignedQuote;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuoteIssuerTest {
  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00.123456Z");
  private static final OfferParameters CAR = TestOffers.offer("cars", "de/hessen");

  private final PriceMatrix matrix = PriceMatrixFile.defaults(CategoryFile.defaultTree());
  @TempDir Path directory;

  @Test
  void issue_services_signsTheirPricesForFifteenMinutes() {
    MessageAuthenticator authenticator = authenticator();
    QuoteIssuer quotes =
        new QuoteIssuer(new MatrixPriceSource(matrix), authenticator, InstantSource.fixed(NOW));
    SignedQuote signed = quotes.issue(CAR, List.of("premium", "raise")).join();
    Quote quote = signed.quote();
    assertThat(quote.services()).containsExactly("premium", "raise");
    assertThat(quote.lines().getFirst().price().amount()).isEqualTo(1499);
    assertThat(quote.total().amount()).isEqualTo(1499 + 399);
    assertThat(quote.expiresAt()).isEqualTo(Instant.parse("2026-06-01T12:15:00.123Z"));
    assertThat(Duration.between(NOW, quote.expiresAt())).isLessThanOrEqualTo(Quote.LIFETIME);
    assertThat(quote.seller()).isEqualTo(CAR.seller());
    assertThat(QuoteToken.verify(authenticator, signed.token())).isEqualTo(quote);
    assertThat(quotes.issue(CAR, List.of("premium", "raise")).join().token())
        .isNotEqualTo(signed.token());
  }

  @Test
  void issue_noPrices_failsAsTheSource() {
    RuntimeException failure = PriceSource.unavailable(null);
    QuoteIssuer quotes =
        new QuoteIssuer(
            (_, _) -> CompletableFuture.failedFuture(failure),
            authenticator(),
            InstantSource.fixed(NOW));
    assertThat(quotes.issue(CAR, List.of("raise")))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingRootCause()
        .isSameAs(failure);
  }

  private MessageAuthenticator authenticator() {
    return new MessageAuthenticator(
        SigningKeys.open(directory.resolve("keys.json"), InstantSource.system()));
  }
}
