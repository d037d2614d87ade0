package dev.torg.alerts.eligibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.AlertEvent;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.favorites.AlertRule;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The product's central promise as a table: who is notified of which offer.
class AlertEligibilityTest {
  private static final Instant ACTIVATED = Instant.parse("2026-05-04T10:00:00Z");
  private static final String SELLER = "user:seller";
  private static final String BUYER = "user:buyer";
  private static final OfferId OFFER = OfferId.random(new Home(7));
  private static final AlertReason SEARCH = AlertReason.search("s1");
  private static final AlertReason FOLLOWED = AlertReason.seller(SELLER);

  @ParameterizedTest
  @CsvSource({
    // type, recipient, subscribed (ms relative to the activation), eligible
    "NEW_OFFER, user:buyer, -3600000, true",
    "NEW_OFFER, user:buyer, -1, true",
    "NEW_OFFER, user:buyer, 0, false",
    "NEW_OFFER, user:buyer, 1, false",
    "NEW_OFFER, user:seller, -3600000, false",
    "NEW_OFFER, user:seller, 1, false",
    "PRICE, user:buyer, -1, true",
    "PRICE, user:buyer, 0, true",
    "PRICE, user:buyer, 3600000, true",
    "PRICE, user:seller, -1, false"
  })
  void isEligible_bySubscriptionTimeAndSeller(
      AlertEvent.Type type, String recipient, long subscribedAfterMillis, boolean expected) {
    assertThat(
            AlertEligibility.isEligible(
                content(type), recipient, ACTIVATED.plusMillis(subscribedAfterMillis)))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "119, false", "120, false", "121, true"})
  void isTooOld_after120Days(int days, boolean expected) {
    assertThat(AlertEligibility.isTooOld(ACTIVATED, ACTIVATED.plus(Duration.ofDays(days))))
        .isEqualTo(expected);
  }

  @Test
  void isTooOld_microsecondBeyondTheLimit_isTrue() {
    Instant limit = ACTIVATED.plus(AlertEligibility.MAX_OFFER_AGE);
    assertThat(AlertEligibility.isTooOld(ACTIVATED, limit.plusNanos(1000))).isTrue();
  }

  /// The age is in days since the activation; a price alert is of 500 EUR.
  @ParameterizedTest
  @CsvSource({
    "NEW_OFFER, ACTIVE,    user:seller, 120, 500, ''",
    "NEW_OFFER, ACTIVE,    user:seller, 121, 500, old",
    "NEW_OFFER, ACTIVE,    user:seller, 1,   400, ''",
    "NEW_OFFER, PENDING,   user:seller, 1,   500, not-active",
    "NEW_OFFER, BANNED,    user:seller, 121, 500, not-active",
    "NEW_OFFER, ACTIVE,    user:buyer,  1,   500, own",
    "PRICE,     ACTIVE,    user:seller, 121, 500, ''",
    "PRICE,     ACTIVE,    user:seller, 1,   400, other-price",
    "PRICE,     ACTIVE,    user:seller, 1,   '',  other-price",
    "PRICE,     SOLD,      user:seller, 1,   500, not-active",
    "PRICE,     ACTIVE,    user:buyer,  1,   400, own",
  })
  void dropReason_byOfferAsItIsNow(
      AlertEvent.Type type,
      Status status,
      String seller,
      int days,
      String amount,
      String expected) {
    Offer.Builder offer =
        Offer.newBuilder()
            .setStatus(status)
            .setSellerId(seller)
            .setActivatedAt(EpochMicros.timestamp(EpochMicros.of(ACTIVATED)));
    if (!amount.isEmpty()) {
      offer.setPrice(euros(Long.parseLong(amount)));
    }
    assertThat(
            AlertEligibility.dropReason(
                    alertOf(type, Optional.of(euros(500))), offer.build(), daysLater(days))
                .orElse(""))
        .isEqualTo(expected);
  }

  @Test
  void dropReason_offerGone_isGone() {
    assertThat(
            AlertEligibility.dropReason(
                alertOf(AlertEvent.Type.PRICE, Optional.empty()), null, ACTIVATED))
        .contains("gone");
  }

  /// The price was removed, and the offer still has none.
  @Test
  void dropReason_alertAndOfferWithoutPrice_isNone() {
    Offer offer = Offer.newBuilder().setStatus(Status.ACTIVE).setSellerId(SELLER).build();
    assertThat(
            AlertEligibility.dropReason(
                alertOf(AlertEvent.Type.PRICE, Optional.empty()), offer, ACTIVATED))
        .isEmpty();
  }

  private static Instant daysLater(int days) {
    return ACTIVATED.plus(Duration.ofDays(days));
  }

  private static Money euros(long amount) {
    return Money.newBuilder().setAmount(amount).setCurrency("EUR").build();
  }

  private static Alert alertOf(AlertEvent.Type type, Optional<Money> price) {
    AlertContent content =
        new AlertContent(type, OFFER, SELLER, 1, ACTIVATED, ACTIVATED, "A car", price, List.of());
    return new Alert(BUYER, content, Set.of());
  }

  @ParameterizedTest
  @CsvSource({"INSTANT, true", "DAILY, true", "OFF, false"})
  void isOn_byDelivery(Delivery delivery, boolean expected) {
    assertThat(AlertEligibility.isOn(rule(SEARCH, delivery, -1))).isEqualTo(expected);
  }

  @Test
  void evaluate_instantAndDailyRules_instantDecides() {
    LockedAlertRules rules =
        locked(rule(SEARCH, Delivery.DAILY, -2), rule(FOLLOWED, Delivery.INSTANT, -1));
    EligibleAlert eligible =
        AlertEligibility.evaluate(candidate(SEARCH, FOLLOWED), rules).orElseThrow();
    assertThat(eligible.first().reason()).isEqualTo(FOLLOWED);
    assertThat(eligible.isInstant()).isTrue();
    assertThat(eligible.matchedRules()).hasSize(2);
  }

  @Test
  void evaluate_followedSellerNotNamed_isMatchedToo() {
    LockedAlertRules rules = locked(rule(FOLLOWED, Delivery.INSTANT, -1));
    assertThat(AlertEligibility.evaluate(candidate(SEARCH), rules)).isPresent();
  }

  @Test
  void evaluate_ruleRemovedOrNewerThanOffer_isEmpty() {
    assertThat(AlertEligibility.evaluate(candidate(SEARCH), locked())).isEmpty();
    LockedAlertRules newer = locked(rule(SEARCH, Delivery.INSTANT, 1));
    assertThat(AlertEligibility.evaluate(candidate(SEARCH), newer)).isEmpty();
  }

  @Test
  void evaluate_blockedSeller_isEmpty() {
    Map<AlertRuleKey, AlertRule> all = new HashMap<>();
    AlertRule search = rule(SEARCH, Delivery.INSTANT, -1);
    all.put(search.key(), search);
    AlertRuleKey block = new AlertRuleKey(BUYER, FavoriteKind.BLOCK, SELLER);
    all.put(block, new AlertRule(block, ACTIVATED, Delivery.INSTANT, List.of(), "", 0, 0));
    LockedAlertRules rules = new LockedAlertRules(all, Map.of());
    assertThat(AlertEligibility.evaluate(candidate(SEARCH), rules)).isEmpty();
  }

  private static CandidateAlert candidate(AlertReason... reasons) {
    return new CandidateAlert(
        new Alert(BUYER, content(AlertEvent.Type.NEW_OFFER), Set.of(reasons)),
        Offer.newBuilder().setId(OFFER.toString()).setSellerId(SELLER).build());
  }

  private static AlertContent content(AlertEvent.Type type) {
    return new AlertContent(
        type, OFFER, SELLER, 1, ACTIVATED, ACTIVATED, "A car", Optional.empty(), List.of());
  }

  private static AlertRule rule(AlertReason reason, Delivery delivery, long createdAfterMillis) {
    return new AlertRule(
        reason.key(BUYER), ACTIVATED.plusMillis(createdAfterMillis), delivery, List.of(), "", 0, 0);
  }

  private static LockedAlertRules locked(AlertRule... rules) {
    Map<AlertRuleKey, AlertRule> all = new HashMap<>();
    for (AlertRule rule : rules) {
      all.put(rule.key(), rule);
    }
    return new LockedAlertRules(all, Map.of());
  }
}
