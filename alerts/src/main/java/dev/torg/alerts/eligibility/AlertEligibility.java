package dev.torg.alerts.eligibility;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.AlertRule;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.platform.EpochMicros;
import dev.torg.queries.PriceHash;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules that decide whether a recipient is notified of an offer. All checks of the module are made
/// here; they are pure and depend on stored times only, never on the order of arrival.
///
/// A recipient is notified of a new offer if one of their subscriptions was created before the offer was
/// first activated and is not OFF; if the offer is not their own and not older than
/// [#MAX_OFFER_AGE]; and if they have not blocked its seller. A price change needs a saved offer of any age.
/// Matching, fan-out and backfill apply [#isEligible] to the projected audience; delivery applies the rest
/// to the recipient's own rows. Muted topics do not matter here: mutes apply to channels, not to the bell.
public final class AlertEligibility {
  /// An offer first activated longer ago is not new to any recipient.
  public static final Duration MAX_OFFER_AGE = Duration.ofDays(120);

  /// The rule that decides about delivery first.
  public static final Comparator<EligibleAlert.MatchedRule> DECIDING =
      Comparator.comparing(
              (EligibleAlert.MatchedRule matched) -> matched.rule().delivery() != Delivery.INSTANT)
          .thenComparing(matched -> matched.reason().kind())
          .thenComparing(matched -> matched.rule().createdAt())
          .thenComparing(matched -> matched.reason().id());

  private AlertEligibility() {}

  /// Whether a subscription of this age entitles the recipient to the alert.
  public static boolean isEligible(AlertContent content, String recipient, Instant subscribedAt) {
    return !isOwnOffer(content.seller(), recipient)
        && (!content.isNew() || isOlderThanOffer(subscribedAt, content.activatedAt()));
  }

  /// Sellers are not notified of their own offers.
  public static boolean isOwnOffer(String seller, String recipient) {
    return seller.equals(recipient);
  }

  /// Whether the subscription was created before the offer was first activated.
  public static boolean isOlderThanOffer(Instant subscribedAt, Instant activatedAt) {
    return subscribedAt.isBefore(activatedAt);
  }

  public static boolean isTooOld(Instant activatedAt, Instant now) {
    return activatedAt.isBefore(now.minus(MAX_OFFER_AGE));
  }

  /// Why the offer, as read just before delivery, rules the alert out whatever the recipient's rules are. The values
  /// are those of the metric of dropped alerts.
  public static Optional<String> dropReason(Alert alert, @Nullable Offer offer, Instant now) {
    if (offer == null) {
      return Optional.of("gone");
    }
    if (offer.getStatus() != Offer.Status.ACTIVE) {
      return Optional.of("not-active");
    }
    if (isOwnOffer(offer.getSellerId(), alert.recipient())) {
      return Optional.of("own");
    }
    if (alert.content().isNew()) {
      Instant activated = EpochMicros.instant(offer.getActivatedAt());
      return isTooOld(activated, now) ? Optional.of("old") : Optional.empty();
    }
    return isPriceOf(offer, alert.content()) ? Optional.empty() : Optional.of("other-price");
  }

  /// A price that has changed again causes its own alert.
  private static boolean isPriceOf(Offer offer, AlertContent content) {
    return content.price().map(PriceHash::of).orElse(0L) == PriceHash.of(offer);
  }

  public static boolean isOn(AlertRule rule) {
    return rule.delivery() != Delivery.OFF;
  }

  /// The rules that must be read. Whether the recipient follows the seller is always read: it costs nothing,
  /// and the alert may have been caused by another rule.
  public static Set<AlertRuleKey> keys(List<CandidateAlert> candidates) {
    Set<AlertRuleKey> keys = new LinkedHashSet<>();
    for (CandidateAlert candidate : candidates) {
      Alert alert = candidate.alert();
      reasons(alert).forEach(reason -> keys.add(reason.key(alert.recipient())));
      keys.add(new AlertRuleKey(alert.recipient(), FavoriteKind.BLOCK, alert.content().seller()));
    }
    return keys;
  }

  public static Optional<EligibleAlert> evaluate(CandidateAlert candidate, LockedAlertRules rules) {
    return eligible(candidate, named(candidate, rules));
  }

  /// As above, with further matches in addition to the reasons that the alert names.
  public static Optional<EligibleAlert> evaluate(
      CandidateAlert candidate,
      LockedAlertRules rules,
      Collection<EligibleAlert.MatchedRule> further) {
    List<EligibleAlert.MatchedRule> matched = new ArrayList<>(named(candidate, rules));
    matched.addAll(further);
    return eligible(candidate, matched);
  }

  /// The deliveries of further searches that would change the result, best first. None if the alert names
  /// all reasons, if one of the named rules is INSTANT, or if no search counts.
  public static List<Delivery> worthFinding(
      CandidateAlert candidate, Optional<EligibleAlert> named, LockedAlertRules rules) {
    Alert alert = candidate.alert();
    boolean searchCounts =
        alert.content().isNew() && !rules.isBlocked(alert.recipient(), alert.content().seller());
    if (!alert.reasonsTruncated()
        || !searchCounts
        || named.filter(EligibleAlert::isInstant).isPresent()) {
      return List.of();
    }
    return named.isPresent()
        ? List.of(Delivery.INSTANT)
        : List.of(Delivery.INSTANT, Delivery.DAILY);
  }

  private static List<EligibleAlert.MatchedRule> named(
      CandidateAlert candidate, LockedAlertRules rules) {
    Alert alert = candidate.alert();
    if (rules.isBlocked(alert.recipient(), alert.content().seller())) {
      return List.of();
    }
    List<EligibleAlert.MatchedRule> matched = new ArrayList<>();
    for (AlertReason reason : reasons(alert)) {
      rules
          .rule(reason.key(alert.recipient()))
          .filter(
              rule ->
                  isEligible(alert.content(), alert.recipient(), rule.createdAt()) && isOn(rule))
          .ifPresent(rule -> matched.add(new EligibleAlert.MatchedRule(reason, rule)));
    }
    return matched;
  }

  private static Optional<EligibleAlert> eligible(
      CandidateAlert candidate, List<EligibleAlert.MatchedRule> matched) {
    return matched.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new EligibleAlert(
                candidate.alert(), candidate.offer(), matched.stream().sorted(DECIDING).toList()));
  }

  private static Set<AlertReason> reasons(Alert alert) {
    if (!alert.content().isNew()) {
      return alert.reasons();
    }
    Set<AlertReason> all = new LinkedHashSet<>(alert.reasons());
    all.add(AlertReason.seller(alert.content().seller()));
    return all;
  }
}
