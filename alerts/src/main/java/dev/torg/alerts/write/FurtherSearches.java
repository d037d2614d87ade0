package dev.torg.alerts.write;

import dev.torg.alerts.alert.Reason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.FavoriteRules;
import dev.torg.favorites.FavoriteRules.OwnSearch;
import dev.torg.favorites.FavoriteRules.SearchCursor;
import dev.torg.favorites.Features;
import dev.torg.favorites.Queries;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.engine.QueryCheck;
import dev.torg.offers.Categories;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Finds the search that decides for a reader whose alert names only some of its reasons. Reads the
/// reader's searches page by page and stops at the first one that matches the offer. For the time of
/// one transaction, which holds the reader's rules.
final class FurtherSearches {
  private static final int PAGE_SIZE = 100;

  private final FavoriteRules rules;
  private final Categories categories;
  private final Map<String, OfferFeatures> analysed = new HashMap<>();

  FurtherSearches(FavoriteRules rules, Categories categories) {
    this.rules = rules;
    this.categories = categories;
  }

  /// The latest search with this delivery that is older than the offer and matches it.
  Optional<Choice.Held> find(Tx tx, Candidate candidate, Delivery delivery) throws SQLException {
    OfferFeatures features = features(candidate.offer());
    SearchCursor after = SearchCursor.savedBefore(candidate.alert().news().activatedAt());
    List<OwnSearch> page;
    do {
      page = rules.searches(tx, candidate.alert().reader(), Set.of(delivery), after, PAGE_SIZE);
      for (OwnSearch search : page) {
        if (matches(search, features)) {
          Reason reason = Reason.search(search.rule().key().id());
          return Optional.of(new Choice.Held(reason, search.rule()));
        }
        after = search.cursor();
      }
    } while (page.size() == PAGE_SIZE);
    return Optional.empty();
  }

  private OfferFeatures features(Offer offer) {
    return analysed.computeIfAbsent(offer.getId(), _ -> Features.of(offer, categories));
  }

  /// One that cannot be read any more matches nothing, here and in the engine.
  private static boolean matches(OwnSearch search, OfferFeatures features) {
    try {
      QueryCheck check = new QueryCheck(Queries.canonical(search.query()));
      return check.factsHold(features) && check.textHolds(features);
    } catch (Failure e) {
      return false;
    }
  }
}
