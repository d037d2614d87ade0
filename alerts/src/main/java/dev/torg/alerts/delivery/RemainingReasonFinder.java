package dev.torg.alerts.delivery;

import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.eligibility.CandidateAlert;
import dev.torg.alerts.eligibility.EligibleAlert;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.AlertRules;
import dev.torg.favorites.AlertRules.OwnSearch;
import dev.torg.favorites.AlertRules.SearchCursor;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.engine.QueryCheck;
import dev.torg.offers.category.Categories;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Tx;
import dev.torg.queries.OfferFeatureExtractor;
import dev.torg.queries.QueryCanonicalizer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds the searches that decide for recipients whose alerts name only some of their reasons. The
/// searches of many recipients are read together, page by page, and each is compared with all offers
/// without a match. Lives for one transaction, which has locked the recipients' rules.
///
/// **Cost.** A query reads at most 2,000 searches of at most 100 recipients. The number of queries
/// depends on the number of searches of the recipients, not on the number of offers.
final class RemainingReasonFinder {
  private static final int MAX_SEARCHES_PER_QUERY = 2_000;
  private static final int MAX_RECIPIENTS_PER_QUERY = 100;

  private final AlertRules rules;
  private final Categories categories;
  private final Map<String, OfferFeatures> analysed = new HashMap<>();

  RemainingReasonFinder(AlertRules rules, Categories categories) {
    this.rules = rules;
    this.categories = categories;
  }

  /// For each candidate the latest search with this delivery that is older than the offer and matches it,
  /// if there is one. Keyed by identity of the candidates.
  Map<CandidateAlert, EligibleAlert.MatchedRule> find(
      Tx tx, Collection<CandidateAlert> candidates, Delivery delivery) throws SQLException {
    Map<String, List<CandidateAlert>> open = new LinkedHashMap<>();
    for (CandidateAlert candidate : candidates) {
      open.computeIfAbsent(candidate.alert().recipient(), _ -> new ArrayList<>()).add(candidate);
    }
    Map<CandidateAlert, EligibleAlert.MatchedRule> matched = new IdentityHashMap<>();
    Map<String, SearchCursor> batch = new LinkedHashMap<>();
    for (Map.Entry<String, List<CandidateAlert>> recipient : open.entrySet()) {
      batch.put(recipient.getKey(), start(recipient.getValue()));
      if (batch.size() == MAX_RECIPIENTS_PER_QUERY) {
        find(tx, batch, open, delivery, matched);
        batch.clear();
      }
    }
    find(tx, batch, open, delivery, matched);
    return matched;
  }

  /// Reads only searches that are older than one of the offers, as defined by [AlertEligibility#isOlderThanOffer].
  private static SearchCursor start(List<CandidateAlert> ofRecipient) {
    return SearchCursor.savedBefore(
        ofRecipient.stream()
            .map(RemainingReasonFinder::activatedAt)
            .max(Instant::compareTo)
            .orElse(Instant.EPOCH));
  }

  private static Instant activatedAt(CandidateAlert candidate) {
    return candidate.alert().content().activatedAt();
  }

  /// Reads until each of these recipients has a search for every offer or no further searches.
  private void find(
      Tx tx,
      Map<String, SearchCursor> recipients,
      Map<String, List<CandidateAlert>> open,
      Delivery delivery,
      Map<CandidateAlert, EligibleAlert.MatchedRule> matched)
      throws SQLException {
    Map<String, SearchCursor> remaining = new LinkedHashMap<>(recipients);
    while (!remaining.isEmpty()) {
      int limit = MAX_SEARCHES_PER_QUERY / remaining.size();
      Map<String, List<OwnSearch>> pages = new HashMap<>();
      for (OwnSearch search : rules.searches(tx, remaining, delivery, limit)) {
        pages.computeIfAbsent(search.rule().key().recipient(), _ -> new ArrayList<>()).add(search);
      }
      for (String recipient : List.copyOf(remaining.keySet())) {
        List<OwnSearch> page = pages.getOrDefault(recipient, List.of());
        List<CandidateAlert> unmatched = open.getOrDefault(recipient, List.of());
        page.forEach(search -> compare(search, unmatched, matched));
        if (unmatched.isEmpty() || page.size() < limit) {
          remaining.remove(recipient);
        } else {
          remaining.put(recipient, page.getLast().cursor());
        }
      }
    }
  }

  /// Moves the candidates that the search matches from `unmatched` to `matched`.
  private void compare(
      OwnSearch search,
      List<CandidateAlert> unmatched,
      Map<CandidateAlert, EligibleAlert.MatchedRule> matched) {
    Optional<QueryCheck> check = unmatched.isEmpty() ? Optional.empty() : check(search);
    if (check.isPresent()) {
      for (Iterator<CandidateAlert> each = unmatched.iterator(); each.hasNext(); ) {
        CandidateAlert candidate = each.next();
        if (AlertEligibility.isOlderThanOffer(search.rule().createdAt(), activatedAt(candidate))
            && matches(check.get(), features(candidate.offer()))) {
          AlertReason reason = AlertReason.search(search.rule().key().id());
          matched.put(candidate, new EligibleAlert.MatchedRule(reason, search.rule()));
          each.remove();
        }
      }
    }
  }

  private OfferFeatures features(Offer offer) {
    return analysed.computeIfAbsent(
        offer.getId(), _ -> OfferFeatureExtractor.of(offer, categories::parent));
  }

  /// A query that cannot be read matches nothing, here and in the engine.
  private static Optional<QueryCheck> check(OwnSearch search) {
    try {
      return Optional.of(new QueryCheck(QueryCanonicalizer.canonical(search.query())));
    } catch (Failure e) {
      return Optional.empty();
    }
  }

  private static boolean matches(QueryCheck check, OfferFeatures features) {
    return check.factsHold(features) && check.textHolds(features);
  }
}
