package dev.torg.promotions.quote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import dev.torg.platform.identity.MessageAuthenticator;
import dev.torg.platform.identity.SigningKeys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuoteTokenTest {
  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00.123Z");
  private static final OfferId OFFER = OfferId.parse("0070000000000013");
  private static final OfferId OTHER_OFFER = OfferId.parse("0070000000000021");

  private static final Quote QUOTE =
      new Quote(
          "user:42",
          OFFER,
          List.of(
              new QuoteLine("raise", new Money(199, "EUR"), Duration.ofHours(24)),
              new QuoteLine("premium", new Money(999, "EUR"), Duration.ofDays(7))),
          NOW.plus(Quote.LIFETIME),
          "0011223344556677");

  @TempDir Path directory;
  private MessageAuthenticator authenticator;

  @BeforeEach
  void openKeys() {
    authenticator = authenticator("keys.json");
  }

  private MessageAuthenticator authenticator(String file) {
    return new MessageAuthenticator(
        SigningKeys.open(directory.resolve(file), InstantSource.system()));
  }

  @Test
  void verify_signedToken_isTheQuote() {
    String token = QuoteToken.sign(authenticator, QUOTE);
    assertThat(token).matches("[A-Za-z0-9._-]+").hasSizeLessThan(QuoteToken.MAX_LENGTH);
    Quote verified = QuoteToken.verify(authenticator, token);
    assertThat(verified).isEqualTo(QUOTE);
    assertThat(verified.total()).isEqualTo(new Money(1198, "EUR"));
    assertThat(verified.services()).containsExactly("raise", "premium");
  }

  @Test
  void verify_everyAlteredCharacter_isRefused() {
    String token = QuoteToken.sign(authenticator, QUOTE);
    for (int i = 0; i < token.length(); i++) {
      char replaced = token.charAt(i) == 'B' ? 'C' : 'B';
      refused(token.substring(0, i) + replaced + token.substring(i + 1));
      refused(token.substring(0, i));
    }
    refused(token + "A");
  }

  /// The content with one field changed, under the code of the original.
  @ParameterizedTest
  @CsvSource({
    "user:42,          user:43",
    "0070000000000013, 0070000000000021",
    "EUR,              JPY",
    "raise 199 86400,  raise 1 86400",
    "raise 199 86400,  turbo 199 86400",
    "raise 199 86400,  raise 199 864000",
    "premium 999,      premium 9",
    "0011223344556677, 0011223344556678",
    "1780316100123,    1980316100123",
  })
  void verify_changedFieldWithTheOldCode_isRefused(String from, String to) {
    String token = QuoteToken.sign(authenticator, QUOTE);
    int dot = token.indexOf('.');
    String content = decoded(token.substring(0, dot));
    assertThat(content).contains(from);
    refused(encoded(content.replace(from, to)) + token.substring(dot));
  }

  @Test
  void verify_forgedToken_isRefused() {
    String token = QuoteToken.sign(authenticator, QUOTE);
    String content = token.substring(0, token.indexOf('.'));
    refused(QuoteToken.sign(authenticator("stolen.json"), QUOTE));
    refused(content + "." + authenticator.code("unsubscribe", content));
    refused(content + ".");
    refused(content);
    refused(".");
    refused("");
    refused("A".repeat(100_000) + ".");
  }

  /// The code is right, but the content is no quote, as from another version of Torg.
  @ParameterizedTest
  @CsvSource({
    "user:42",
    "user:42|0070000000000013|1780316100123|nonce|EUR",
    "user:42|0070000000000013|1780316100123|nonce|EUR|raise 199",
    "user:42|0070000000000013|1780316100123|nonce|EUR|raise x 86400",
    "user:42|0070000000000013|1780316100123|nonce|EUR|raise -5 86400",
    "user:42|0070000000000013|1780316100123|nonce|EURO|raise 199 86400",
    "user:42|0070000000000013|soon|nonce|EUR|raise 199 86400",
    "user:42|0070000000000012|1780316100123|nonce|EUR|raise 199 86400",
    "user:42|0070000000000013|1780316100123|nonce|EUR|raise 1 60|raise 1 60",
  })
  void verify_signedTextThatIsNoQuote_isRefused(String text) {
    String content = encoded(text.replace('|', '\n'));
    refused(content + "." + authenticator.code("promotion-quote", content));
    refused("!!!." + authenticator.code("promotion-quote", "!!!"));
  }

  @Test
  void requireFor_otherSellerOrOffer_isRefused() {
    assertThat(QUOTE.requireFor("user:42", OFFER)).isSameAs(QUOTE);
    Failure seller = catchThrowableOfType(Failure.class, () -> QUOTE.requireFor("user:43", OFFER));
    assertThat(seller.kind()).isEqualTo(Failure.Kind.FORBIDDEN);
    assertThat(seller.code()).isEqualTo("quote.not-yours");
    Failure offer =
        catchThrowableOfType(Failure.class, () -> QUOTE.requireFor("user:42", OTHER_OFFER));
    assertThat(offer.kind()).isEqualTo(Failure.Kind.INVALID);
    assertThat(offer.code()).isEqualTo("quote.other-offer");
  }

  @ParameterizedTest
  @CsvSource({"PT0S, true", "PT14M59.999S, true", "PT15M, false", "PT16M, false", "P400D, false"})
  void requireValid_afterFifteenMinutes_isExpired(Duration later, boolean valid) {
    if (valid) {
      assertThat(QUOTE.requireValid(NOW.plus(later))).isSameAs(QUOTE);
    } else {
      Failure failure =
          catchThrowableOfType(Failure.class, () -> QUOTE.requireValid(NOW.plus(later)));
      assertThat(failure.code()).isEqualTo("quote.expired");
      assertThat(failure.kind()).isEqualTo(Failure.Kind.CONFLICT);
    }
  }

  @Test
  void quote_noLinesOrSeveralCurrencies_isNone() {
    QuoteLine raise = QUOTE.lines().getFirst();
    QuoteLine premium = new QuoteLine("premium", new Money(1, "USD"), Duration.ofDays(1));
    for (List<QuoteLine> lines :
        List.of(List.<QuoteLine>of(), List.of(raise, premium), List.of(raise, raise))) {
      assertThatThrownBy(() -> new Quote("user:42", OFFER, lines, NOW, ""))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private void refused(String token) {
    Failure failure =
        catchThrowableOfType(Failure.class, () -> QuoteToken.verify(authenticator, token));
    assertThat(failure.code()).isEqualTo("quote.invalid");
    assertThat(failure.kind()).isEqualTo(Failure.Kind.INVALID);
  }

  private static String decoded(String content) {
    return new String(Base64.getUrlDecoder().decode(content), StandardCharsets.UTF_8);
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
