package dev.torg.alerts.eligibility;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.TopicSettings;
import dev.torg.favorites.AlertRule;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.notifications.NotificationTopics;
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

/// Which reasons of an alert hold, by the reader's own rows.
class ChooseAlertTest {
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
  private static final NotificationSettings SETTINGS = NotificationSettings.getDefaultInstance();
  private static final AlertReason SEARCH = AlertReason.search("q");
  private static final AlertReason FOLLOWED = AlertReason.seller(SELLER);
  private static final AlertReason SAVED = AlertReason.price(OFFER_ID.toString());

  private static CandidateAlert candidate(AlertContent news, boolean cut, AlertReason... reasons) {
    return new CandidateAlert(
        new Alert(RECIPIENT, news, new LinkedHashSet<>(List.of(reasons)), cut), OFFER);
  }

  private static CandidateAlert fresh(AlertReason... reasons) {
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

  private static LockedAlertRules held(AlertRule... rules) {
    Map<AlertRuleKey, AlertRule> all = new HashMap<>();
    Stream.of(rules).forEach(rule -> all.put(rule.key(), rule));
    return new LockedAlertRules(all, Map.of());
  }

  private static NotificationSettings muting(String topic) {
    return NotificationSettings.newBuilder()
        .putTopics(topic, TopicSettings.newBuilder().setMuted(true).build())
        .build();
  }

  private static List<AlertReason> chosen(CandidateAlert candidate, LockedAlertRules held) {
    return chosen(candidate, held, SETTINGS);
  }

  private static List<AlertReason> chosen(
      CandidateAlert candidate, LockedAlertRules held, NotificationSettings settings) {
    return AlertEligibility.choose(candidate, held, settings)
        .map(
            choice ->
                choice.matchedRules().stream().map(EligibleAlert.MatchedRule::reason).toList())
        .orElse(List.of());
  }

  @Test
  void choose_ruleIsThere_holds() {
    assertThat(chosen(fresh(SEARCH), held(rule(SEARCH)))).containsExactly(SEARCH);
    assertThat(chosen(price(), held(rule(SAVED)))).containsExactly(SAVED);
  }

  @Test
  void choose_ruleIsGone_doesNot() {
    assertThat(chosen(fresh(SEARCH), held())).isEmpty();
    assertThat(chosen(price(), held())).isEmpty();
    AlertRule ofAnother =
        new AlertRule(SEARCH.key("user:another"), BEFORE, Delivery.INSTANT, List.of(), "", 0, 0);
    assertThat(chosen(fresh(SEARCH), held(ofAnother))).isEmpty();
  }

  /// Milliseconds between the offer's first activation and the rule.
  @ParameterizedTest
  @CsvSource({"-1, true", "0, false", "1, false"})
  void choose_newOffer_ruleMustBeOlder(long millis, boolean holds) {
    Instant createdAt = ACTIVATED.plusMillis(millis);
    for (AlertReason reason : List.of(SEARCH, FOLLOWED)) {
      assertThat(chosen(fresh(reason), held(rule(reason, Delivery.INSTANT, createdAt))).isEmpty())
          .isEqualTo(!holds);
    }
  }

  @Test
  void choose_priceChange_ruleMayBeYounger() {
    AlertRule recent = rule(SAVED, Delivery.INSTANT, ACTIVATED.plus(Duration.ofDays(9)));
    assertThat(chosen(price(), held(recent))).containsExactly(SAVED);
  }

  @ParameterizedTest
  @EnumSource(value = Delivery.class, mode = EnumSource.Mode.EXCLUDE, names = "UNRECOGNIZED")
  void choose_anyDeliveryButOff_holds(Delivery delivery) {
    assertThat(chosen(fresh(SEARCH), held(rule(SEARCH, delivery, BEFORE))).isEmpty())
        .isEqualTo(delivery == Delivery.OFF);
  }

  @Test
  void choose_blockedSeller_nothingHolds() {
    assertThat(chosen(fresh(SEARCH), held(rule(SEARCH), rule(FOLLOWED), BLOCK))).isEmpty();
    assertThat(chosen(price(), held(rule(SAVED), BLOCK))).isEmpty();
  }

  @Test
  void choose_mutedTopic_removesItsReasonsOnly() {
    LockedAlertRules both = held(rule(SEARCH), rule(FOLLOWED));
    assertThat(chosen(fresh(SEARCH), both, muting(NotificationTopics.SEARCHES)))
        .containsExactly(FOLLOWED);
    assertThat(chosen(fresh(SEARCH), both, muting(NotificationTopics.SELLERS)))
        .containsExactly(SEARCH);
    assertThat(chosen(fresh(SEARCH), both, muting(NotificationTopics.PRICES))).hasSize(2);
    assertThat(chosen(price(), held(rule(SAVED)), muting(NotificationTopics.PRICES))).isEmpty();
  }

  /// The alert may have come from another rule alone.
  @Test
  void choose_newOffer_asksForTheSellerWhateverTheAlertNames() {
    assertThat(chosen(fresh(SEARCH), held(rule(FOLLOWED)))).containsExactly(FOLLOWED);
    assertThat(chosen(price(), held(rule(FOLLOWED)))).isEmpty();
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
  void choose_several_theDecidingOneIsFirst(
      String order, List<AlertRule> rules, List<AlertReason> expected) {
    CandidateAlert candidate = fresh(AlertReason.search("r"), SEARCH, FOLLOWED);
    assertThat(chosen(candidate, held(rules.toArray(AlertRule[]::new))))
        .as(order)
        .isEqualTo(expected);
  }

  @Test
  void choose_choice_isInstantByItsFirst() {
    LockedAlertRules daily = held(rule(SEARCH, Delivery.DAILY, BEFORE));
    EligibleAlert choice = AlertEligibility.choose(fresh(SEARCH), daily, SETTINGS).orElseThrow();
    assertThat(choice.isInstant()).isFalse();
    EligibleAlert.MatchedRule further =
        new EligibleAlert.MatchedRule(AlertReason.search("z"), rule(AlertReason.search("z")));
    EligibleAlert both =
        AlertEligibility.choose(fresh(SEARCH), daily, SETTINGS, List.of(further)).orElseThrow();
    assertThat(both.isInstant()).isTrue();
    assertThat(both.first()).isEqualTo(further);
    assertThat(both.recipient()).isEqualTo(RECIPIENT);
  }

  @Test
  void choose_furtherAlone_isEnough() {
    EligibleAlert.MatchedRule further = new EligibleAlert.MatchedRule(SEARCH, rule(SEARCH));
    assertThat(AlertEligibility.choose(fresh(), held(), SETTINGS, List.of(further))).isPresent();
    assertThat(AlertEligibility.choose(fresh(), held(), SETTINGS, List.of())).isEmpty();
  }

  @Test
  void keys_areAllThatChooseUses() {
    assertThat(AlertEligibility.keys(List.of(fresh(SEARCH), fresh(SEARCH))))
        .containsExactlyInAnyOrder(SEARCH.key(RECIPIENT), FOLLOWED.key(RECIPIENT), BLOCK.key());
    assertThat(AlertEligibility.keys(List.of(price())))
        .containsExactlyInAnyOrder(SAVED.key(RECIPIENT), BLOCK.key());
  }

  private static List<Delivery> worthFinding(
      CandidateAlert candidate, LockedAlertRules held, NotificationSettings settings) {
    Optional<EligibleAlert> named = AlertEligibility.choose(candidate, held, settings);
    return AlertEligibility.worthFinding(candidate, named, held, settings);
  }

  @Test
  void worthFinding_reasonsWereCut_asksForWhatIsBetterThanTheNamed() {
    CandidateAlert cut = candidate(AlertContent.newOffer(OFFER, ACTIVATED), true, SEARCH);
    assertThat(worthFinding(cut, held(), SETTINGS))
        .containsExactly(Delivery.INSTANT, Delivery.DAILY);
    assertThat(worthFinding(cut, held(rule(SEARCH, Delivery.DAILY, BEFORE)), SETTINGS))
        .containsExactly(Delivery.INSTANT);
    assertThat(worthFinding(cut, held(rule(SEARCH)), SETTINGS)).isEmpty();
  }

  @Test
  void worthFinding_noSearchCanCount_asksForNone() {
    CandidateAlert cut = candidate(AlertContent.newOffer(OFFER, ACTIVATED), true, SEARCH);
    assertThat(worthFinding(cut, held(BLOCK), SETTINGS)).isEmpty();
    assertThat(worthFinding(cut, held(), muting(NotificationTopics.SEARCHES))).isEmpty();
    assertThat(worthFinding(fresh(SEARCH), held(), SETTINGS)).isEmpty();
    CandidateAlert cutPrice =
        candidate(AlertContent.priceChange(OFFER, ACTIVATED, List.of()), true, SAVED);
    assertThat(worthFinding(cutPrice, held(), SETTINGS)).isEmpty();
  }
}
