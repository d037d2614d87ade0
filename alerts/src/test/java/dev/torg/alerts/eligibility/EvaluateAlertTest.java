package dev.torg.alerts.eligibility;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.AlertRule;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Which reasons of an alert hold according to the recipient's own rows.
class EvaluateAlertTest {
  private static final String RECIPIENT = "user:reader";
  private static final String SELLER = "user:seller";
  private static final Instant ACTIVATED = Instant.parse("2026-05-04T10:00:00Z");
  private static final Instant BEFORE = ACTIVATED.minus(Duration.ofDays(1));
  private static final OfferId OFFER_ID = OfferId.random(Home.of(SELLER));
  private static final Offer OFFER =
      Offer.newBuilder()
          .setId(OFFER_ID.toString())
          .setSellerId(SELLER)
          .setActivatedAt(Timestamp.newBuilder().setSeconds(ACTIVATED.getEpochSecond()))
          .build();
  private static final AlertReason SEARCH = AlertReason.search("q");
  private static final AlertReason FOLLOWED = AlertReason.seller(SELLER);
  private static final AlertReason SAVED = AlertReason.price(OFFER_ID.toString());

  private static CandidateAlert candidate(
      AlertContent content, boolean truncated, AlertReason... reasons) {
    return new CandidateAlert(
        new Alert(RECIPIENT, content, new LinkedHashSet<>(List.of(reasons)), truncated), OFFER);
  }

  private static CandidateAlert candidate(AlertReason... reasons) {
    return candidate(AlertContent.newOffer(OFFER, ACTIVATED), false, reasons);
  }

  private static CandidateAlert price() {
    return candidate(AlertContent.priceChange(OFFER, ACTIVATED, List.of()), false, SAVED);
  }

  private static AlertRule rule(AlertReason reason, Delivery delivery, Instant createdAt) {
    return new AlertRule(reason.key(RECIPIENT), createdAt, delivery, List.of(), "", 0, 0);
  }

  private static AlertRule rule(AlertReason reason) {
    return rule(reason, Delivery.INSTANT, BEFORE);
  }

  private static final AlertRule BLOCK =
      new AlertRule(
          new AlertRuleKey(RECIPIENT, FavoriteKind.BLOCK, SELLER),
          BEFORE,
          Delivery.DELIVERY_UNSPECIFIED,
          List.of(),
          "",
          0,
          0);

  private static LockedAlertRules locked(AlertRule... rules) {
    Map<AlertRuleKey, AlertRule> all = new HashMap<>();
    Stream.of(rules).forEach(rule -> all.put(rule.key(), rule));
    return new LockedAlertRules(all, Map.of());
  }

  private static List<AlertReason> matchedReasons(
      CandidateAlert candidate, LockedAlertRules locked) {
    return AlertEligibility.evaluate(candidate, locked)
        .map(
            eligible ->
                eligible.matchedRules().stream().map(EligibleAlert.MatchedRule::reason).toList())
        .orElse(List.of());
  }

  @Test
  void evaluate_ruleExists_isMatched() {
    assertThat(matchedReasons(candidate(SEARCH), locked(rule(SEARCH)))).containsExactly(SEARCH);
    assertThat(matchedReasons(price(), locked(rule(SAVED)))).containsExactly(SAVED);
  }

  @Test
  void evaluate_ruleRemoved_isNotMatched() {
    assertThat(matchedReasons(candidate(SEARCH), locked())).isEmpty();
    assertThat(matchedReasons(price(), locked())).isEmpty();
    AlertRule ofAnother =
        new AlertRule(SEARCH.key("user:another"), BEFORE, Delivery.INSTANT, List.of(), "", 0, 0);
    assertThat(matchedReasons(candidate(SEARCH), locked(ofAnother))).isEmpty();
  }

  /// Milliseconds between the offer's first activation and the rule.
  @ParameterizedTest
  @CsvSource({"-1, true", "0, false", "1, false"})
  void evaluate_newOffer_ruleMustBeOlder(long millis, boolean holds) {
    Instant createdAt = ACTIVATED.plusMillis(millis);
    for (AlertReason reason : List.of(SEARCH, FOLLOWED)) {
      assertThat(
              matchedReasons(candidate(reason), locked(rule(reason, Delivery.INSTANT, createdAt)))
                  .isEmpty())
          .isEqualTo(!holds);
    }
  }

  @Test
  void evaluate_priceChange_ruleMayBeNewer() {
    AlertRule recent = rule(SAVED, Delivery.INSTANT, ACTIVATED.plus(Duration.ofDays(9)));
    assertThat(matchedReasons(price(), locked(recent))).containsExactly(SAVED);
  }

  @ParameterizedTest
  @EnumSource(value = Delivery.class, mode = EnumSource.Mode.EXCLUDE, names = "UNRECOGNIZED")
  void evaluate_anyDeliveryButOff_isMatched(Delivery delivery) {
    assertThat(matchedReasons(candidate(SEARCH), locked(rule(SEARCH, delivery, BEFORE))).isEmpty())
        .isEqualTo(delivery == Delivery.OFF);
  }

  @Test
  void evaluate_blockedSeller_matchesNothing() {
    assertThat(matchedReasons(candidate(SEARCH), locked(rule(SEARCH), rule(FOLLOWED), BLOCK)))
        .isEmpty();
    assertThat(matchedReasons(price(), locked(rule(SAVED), BLOCK))).isEmpty();
  }

  /// The alert may have been caused by another rule alone.
  @Test
  void evaluate_newOffer_alwaysReadsTheRuleOfTheSeller() {
    assertThat(matchedReasons(candidate(SEARCH), locked(rule(FOLLOWED)))).containsExactly(FOLLOWED);
    assertThat(matchedReasons(price(), locked(rule(FOLLOWED)))).isEmpty();
  }

  static Stream<Arguments> orders() {
    AlertReason other = AlertReason.search("r");
    return Stream.of(
        Arguments.of(
            "INSTANT before DAILY",
            List.of(rule(SEARCH, Delivery.DAILY, BEFORE), rule(FOLLOWED)),
            List.of(FOLLOWED, SEARCH)),
        Arguments.of(
            "then searches before sellers",
            List.of(rule(FOLLOWED), rule(SEARCH)),
            List.of(SEARCH, FOLLOWED)),
        Arguments.of(
            "then the older",
            List.of(rule(SEARCH), rule(other, Delivery.INSTANT, BEFORE.minusSeconds(1))),
            List.of(other, SEARCH)),
        Arguments.of("then by id", List.of(rule(other), rule(SEARCH)), List.of(SEARCH, other)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("orders")
  void evaluate_severalRules_theDecidingOneIsFirst(
      String order, List<AlertRule> rules, List<AlertReason> expected) {
    CandidateAlert candidate = candidate(AlertReason.search("r"), SEARCH, FOLLOWED);
    assertThat(matchedReasons(candidate, locked(rules.toArray(AlertRule[]::new))))
        .as(order)
        .isEqualTo(expected);
  }

  @Test
  void isInstant_isDecidedByTheFirstRule() {
    LockedAlertRules daily = locked(rule(SEARCH, Delivery.DAILY, BEFORE));
    EligibleAlert eligible = AlertEligibility.evaluate(candidate(SEARCH), daily).orElseThrow();
    assertThat(eligible.isInstant()).isFalse();
    EligibleAlert.MatchedRule further =
        new EligibleAlert.MatchedRule(AlertReason.search("z"), rule(AlertReason.search("z")));
    EligibleAlert both =
        AlertEligibility.evaluate(candidate(SEARCH), daily, List.of(further)).orElseThrow();
    assertThat(both.isInstant()).isTrue();
    assertThat(both.first()).isEqualTo(further);
    assertThat(both.recipient()).isEqualTo(RECIPIENT);
  }

  @Test
  void evaluate_onlyAFurtherMatch_isEligible() {
    EligibleAlert.MatchedRule further = new EligibleAlert.MatchedRule(SEARCH, rule(SEARCH));
    assertThat(AlertEligibility.evaluate(candidate(), locked(), List.of(further))).isPresent();
    assertThat(AlertEligibility.evaluate(candidate(), locked(), List.of())).isEmpty();
  }

  @Test
  void keys_areAllThatEvaluateReads() {
    assertThat(AlertEligibility.keys(List.of(candidate(SEARCH), candidate(SEARCH))))
        .containsExactlyInAnyOrder(SEARCH.key(RECIPIENT), FOLLOWED.key(RECIPIENT), BLOCK.key());
    assertThat(AlertEligibility.keys(List.of(price())))
        .containsExactlyInAnyOrder(SAVED.key(RECIPIENT), BLOCK.key());
  }

  private static List<Delivery> worthFinding(CandidateAlert candidate, LockedAlertRules locked) {
    Optional<EligibleAlert> named = AlertEligibility.evaluate(candidate, locked);
    return AlertEligibility.worthFinding(candidate, named, locked);
  }

  @Test
  void worthFinding_reasonsTruncated_areTheDeliveriesBetterThanTheNamed() {
    CandidateAlert truncated = candidate(AlertContent.newOffer(OFFER, ACTIVATED), true, SEARCH);
    assertThat(worthFinding(truncated, locked())).containsExactly(Delivery.INSTANT, Delivery.DAILY);
    assertThat(worthFinding(truncated, locked(rule(SEARCH, Delivery.DAILY, BEFORE))))
        .containsExactly(Delivery.INSTANT);
    assertThat(worthFinding(truncated, locked(rule(SEARCH)))).isEmpty();
  }

  @Test
  void worthFinding_noSearchCanCount_isEmpty() {
    CandidateAlert truncated = candidate(AlertContent.newOffer(OFFER, ACTIVATED), true, SEARCH);
    assertThat(worthFinding(truncated, locked(BLOCK))).isEmpty();
    assertThat(worthFinding(candidate(SEARCH), locked())).isEmpty();
    CandidateAlert truncatedPrice =
        candidate(AlertContent.priceChange(OFFER, ACTIVATED, List.of()), true, SAVED);
    assertThat(worthFinding(truncatedPrice, locked())).isEmpty();
  }
}
