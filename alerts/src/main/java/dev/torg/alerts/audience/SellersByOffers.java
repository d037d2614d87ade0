package dev.torg.alerts.audience;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.SearchQuery;
import dev.torg.matching.Query;
import dev.torg.matching.engine.QueryCheck;
import dev.torg.notifications.AudienceCriterion;
import dev.torg.offers.ActiveOfferPage;
import dev.torg.offers.Offers;
import dev.torg.platform.Home;
import dev.torg.queries.OfferFeatureExtractor;
import dev.torg.queries.QueryCanonicalizer;
import java.util.HashSet;
import java.util.Set;

/// Sellers with an active offer that matches a query, as saved searches match. Sellers live in the home of their offers.
public record SellersByOffers(Offers offers) implements AudienceCriterion {
  @Override
  public void check(SearchQuery query) {
    Query _ = QueryCanonicalizer.canonical(query);
  }

  @Override
  public Page sellersWith(SearchQuery query, Home home, String cursor) {
    QueryCheck check = new QueryCheck(QueryCanonicalizer.canonical(query));
    ActiveOfferPage page = offers.activeOffers(home, cursor.isEmpty() ? 0 : Long.parseLong(cursor));
    Set<String> sellers = new HashSet<>();
    for (Offer offer : page.offers()) {
      if (!sellers.contains(offer.getSellerId()) && matches(check, offer)) {
        sellers.add(offer.getSellerId());
      }
    }
    return new Page(sellers, Long.toString(page.lastId()), page.last());
  }

  /// The text is analysed last: it costs most.
  private boolean matches(QueryCheck check, Offer offer) {
    return check.factsHold(OfferFeatureExtractor.withoutText(offer, offers.categories()::parent))
        && (!check.hasText()
            || check.textHolds(OfferFeatureExtractor.of(offer, offers.categories()::parent)));
  }
}
