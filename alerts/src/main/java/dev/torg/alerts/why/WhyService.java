package dev.torg.alerts.why;

import dev.torg.api.v1.Explanation;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Rule;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.FavoriteRules;
import dev.torg.favorites.FavoriteRules.OwnSearch;
import dev.torg.favorites.Features;
import dev.torg.favorites.PriceHash;
import dev.torg.favorites.Queries;
import dev.torg.favorites.RuleKey;
import dev.torg.favorites.VisibleOffers;
import dev.torg.matching.OfferFeatures;
import dev.torg.offers.Offers;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.util.List;
import java.util.Map;

/// Holds an offer against a caller's own rules. Needs no engine: a person has few searches. Blocks.
final class WhyService {
  private final Database database;
  private final Offers offers;
  private final VisibleOffers visible;
  private final FavoriteRules rules;

  WhyService(Database database, Offers offers, FavoriteRules rules) {
    this.database = database;
    this.offers = offers;
    this.visible = new VisibleOffers(offers);
    this.rules = rules;
  }

  Explanation explain(String caller, OfferId id) {
    Offer offer = visible.visible(caller, List.of(id)).join().get(id);
    if (offer == null) {
      throw Failure.notFound("offer.unknown", "there is no such offer");
    }
    OfferFeatures features = Features.of(offer, offers.categories());
    Explanation.Builder all = Explanation.newBuilder();
    for (OwnSearch search : database.read(tx -> rules.searchesOf(tx, caller))) {
      all.addRules(search(search, features));
    }
    addSellerAndPrice(all, caller, offer);
    return all.build();
  }

  private static Rule search(OwnSearch search, OfferFeatures features) {
    Rule.Builder rule =
        Rule.newBuilder()
            .setKind(Rule.Kind.SEARCH)
            .setId(search.rule().key().id())
            .setName(search.rule().name());
    try {
      var explained =
          dev.torg.matching.engine.Explanation.of(Queries.canonical(search.query()), features);
      return rule.setMatches(explained.matches()).addAllFailingClauses(explained.failing()).build();
    } catch (Failure e) {
      // One that this version can no longer read matches nothing, here and in the engine.
      return rule.addFailingClauses("query=unreadable").build();
    }
  }

  private void addSellerAndPrice(Explanation.Builder all, String caller, Offer offer) {
    RuleKey seller = new RuleKey(caller, FavoriteKind.SELLER, offer.getSellerId());
    RuleKey saved = new RuleKey(caller, FavoriteKind.OFFER, offer.getId());
    Map<RuleKey, dev.torg.favorites.Rule> own =
        database.read(tx -> rules.rules(tx, List.of(seller, saved)));
    if (own.containsKey(seller)) {
      all.addRules(
          Rule.newBuilder()
              .setKind(Rule.Kind.SELLER)
              .setId(offer.getSellerId())
              .setName(offer.getSellerId())
              .setMatches(true));
    }
    dev.torg.favorites.Rule price = own.get(saved);
    if (price != null) {
      boolean changed = price.priceHash() != PriceHash.of(offer);
      Rule.Builder rule =
          Rule.newBuilder()
              .setKind(Rule.Kind.PRICE)
              .setId(offer.getId())
              .setName(offer.getTitle())
              .setMatches(changed);
      all.addRules(changed ? rule : rule.addFailingClauses("price=changed"));
    }
  }
}
