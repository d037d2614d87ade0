package dev.torg.promotions.intent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.ServiceTerm;
import dev.torg.promotions.apply.PromotionWriter.LockedPromotions;
import dev.torg.promotions.intent.IntentDecision.Buy;
import dev.torg.promotions.intent.IntentDecision.ExamineAgain;
import dev.torg.promotions.intent.IntentDecision.NoPrice;
import dev.torg.promotions.intent.IntentDecision.NothingToBuy;
import dev.torg.promotions.intent.IntentDecision.Prices;
import dev.torg.promotions.intent.IntentDecision.RetryPrice;
import dev.torg.promotions.intent.IntentDecision.WaitForOffer;
import dev.torg.promotions.intent.IntentDecision.WaitUntil;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IntentDecisionTest {
  private static final Instant SOON = Instant.parse("2026-05-05T10:00:00Z");
  private static final Instant LATER = Instant.parse("2026-05-06T10:00:00Z");
  private static final PaymentLine RAISE = line("raise", 200, "EUR", "raise");
  private static final PaymentLine PREMIUM = line("premium", 500, "EUR", "premium");
  private static final PaymentLine TURBO = line("turbo", 900, "EUR", "turbo", "raise", "premium");

  private static PaymentLine line(String label, long price, String currency, String... services) {
    return new PaymentLine(
        label,
        new Money(price, currency),
        List.of(services).stream()
            .map(service -> new ServiceTerm(service, Duration.ofDays(1), false))
            .toList());
  }

  private static Optional<LockedPromotions> active(Map<String, Instant> until) {
    return Optional.of(new LockedPromotions(Status.ACTIVE, until));
  }

  private static IntentDecision decide(
      Map<String, Instant> active, List<String> services, PaymentLine... lines) {
    return IntentDecision.of(active(active), services, new Prices.Lines(List.of(lines)));
  }

  @Test
  void missingServices_areBought() {
    assertThat(decide(Map.of(), List.of("raise", "premium"), RAISE, PREMIUM))
        .isEqualTo(new Buy(List.of(RAISE, PREMIUM)));
    assertThat(decide(Map.of("raise", SOON), List.of("raise", "premium"), RAISE, PREMIUM))
        .isEqualTo(new Buy(List.of(PREMIUM)));
  }

  @Test
  void activeServices_areNotBought_evenIfTheyAreExtendable() {
    assertThat(decide(Map.of("raise", SOON), List.of("raise"), RAISE))
        .isEqualTo(new NothingToBuy());
    PaymentLine extendable =
        new PaymentLine(
            "raise",
            new Money(200, "EUR"),
            List.of(new ServiceTerm("raise", Duration.ofDays(1), true)));
    assertThat(decide(Map.of("raise", SOON), List.of("raise"), extendable))
        .isEqualTo(new NothingToBuy());
  }

  @Test
  void bundle_waitsForThePartsThatAreActive() {
    assertThat(decide(Map.of("raise", SOON, "premium", LATER), List.of("turbo"), TURBO))
        .isEqualTo(new WaitUntil(LATER));
  }

  @Test
  void bundleAndItsPart_areNotPaidTwice() {
    assertThat(decide(Map.of(), List.of("premium", "turbo"), PREMIUM, TURBO))
        .isEqualTo(new Buy(List.of(TURBO)));
    assertThat(decide(Map.of("raise", SOON), List.of("premium", "turbo"), PREMIUM, TURBO))
        .isEqualTo(new Buy(List.of(PREMIUM)));
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"ACTIVE", "UNRECOGNIZED"},
      mode = EnumSource.Mode.EXCLUDE)
  void offerThatIsNotActive_isWaitedFor(Status status) {
    assertThat(
            IntentDecision.of(
                Optional.of(new LockedPromotions(status, Map.of())),
                List.of("raise"),
                new Prices.Lines(List.of(RAISE))))
        .isEqualTo(new WaitForOffer());
  }

  @Test
  void missingOffer_isWaitedFor() {
    assertThat(IntentDecision.of(Optional.empty(), List.of("raise"), new Prices.NotNeeded()))
        .isEqualTo(new WaitForOffer());
  }

  @Test
  void price_thatIsUnavailable_isRetried_butNotOneThatDoesNotExist() {
    Failure unavailable = Failure.unavailable("promotion.price-unavailable", "later", null);
    Failure none = Failure.notFound("promotion.no-price", "none");
    assertThat(
            IntentDecision.of(active(Map.of()), List.of("raise"), new Prices.Failed(unavailable)))
        .isEqualTo(new RetryPrice());
    assertThat(IntentDecision.of(active(Map.of()), List.of("raise"), new Prices.Failed(none)))
        .isEqualTo(new NoPrice());
    assertThat(decide(Map.of(), List.of("raise"))).isEqualTo(new NoPrice());
  }

  @Test
  void pricesInTwoCurrencies_areNoPrice() {
    PaymentLine dollars = line("raise", 200, "USD", "raise");
    assertThat(decide(Map.of(), List.of("raise", "premium"), dollars, PREMIUM))
        .isEqualTo(new NoPrice());
  }

  @Test
  void serviceThatEndedAfterItWasRead_isExaminedAgain() {
    assertThat(IntentDecision.of(active(Map.of()), List.of("raise"), new Prices.NotNeeded()))
        .isEqualTo(new ExamineAgain());
  }
}
