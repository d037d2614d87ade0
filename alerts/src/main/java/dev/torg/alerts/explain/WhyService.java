package dev.torg.alerts.explain;

import dev.torg.api.v1.Explanation;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Rule;
import dev.torg.favorites.AlertRule;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.AlertRules;
import dev.torg.favorites.AlertRules.OwnSearch;
import dev.torg.favorites.AlertRules.SearchCursor;
import dev.torg.favorites.FavoriteKind;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.engine.MatchExplanation;
import dev.torg.offers.Offers;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.queries.OfferFeatureExtractor;
import dev.torg.queries.PriceHash;
import dev.torg.queries.QueryCanonicalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Explains which rules of a caller match an offer. Needs no engine: the caller's searches are read page
/// by page. The response is bounded: 200 rules, matching ones first. Blocks.
final class WhyService {
  /// Rules in an explanation.
  static final int MAX_RULES = 200;

  /// The followed seller and the saved offer among them.
  private static final int OTHER_RULES = 2;

  /// Searches per page: two megabytes of the largest ones.
  private static final int PAGE_SIZE = 100;

  private final Database database;
  private final Offers offers;
  private final AlertRules rules;

  WhyService(Database database, Offers offers, AlertRules rules) {
    this.database = database;
    this.offers = offers;
    this.rules = rules;
  }

  Explanation explain(String caller, OfferId id) {
    Offer offer = offers.visible(caller, List.of(id)).join().get(id);
    if (offer == null) {
      throw Failure.notFound("offer.not-found", "no such offer");
    }
    List<Rule> others = sellerAndPrice(caller, offer);
    MatchingFirstList<Rule> searches = new MatchingFirstList<>(MAX_RULES - OTHER_RULES);
    OfferFeatures features = OfferFeatureExtractor.of(offer, offers.categories()::parent);
    SearchCursor after = SearchCursor.START;
    List<OwnSearch> page;
    do {
      page = page(caller, after);
      page.stream().map(s -> search(s, features)).forEach(r -> searches.add(r, r.getMatches()));
      after = page.isEmpty() ? after : page.getLast().cursor();
    } while (page.size() == PAGE_SIZE);
    return Explanation.newBuilder().addAllRules(searches.all()).addAllRules(others).build();
  }

  private List<OwnSearch> page(String caller, SearchCursor after) {
    return database.read(
        tx -> rules.searches(tx, caller, AlertRules.ANY_DELIVERY, after, PAGE_SIZE));
  }

  private static Rule search(OwnSearch search, OfferFeatures features) {
    Rule.Builder rule =
        Rule.newBuilder()
            .setKind(Rule.Kind.SEARCH)
            .setId(search.rule().key().id())
            .setName(search.rule().name());
    try {
      var explained = MatchExplanation.of(QueryCanonicalizer.canonical(search.query()), features);
      return rule.setMatches(explained.matches())
          .addAllFailingClauses(FailingClauseFormatter.shown(explained.failing()))
          .build();
    } catch (Failure e) {
      // A query that this version cannot read matches nothing, here and in the engine.
      return rule.addFailingClauses("query=unreadable").build();
    }
  }

  private List<Rule> sellerAndPrice(String caller, Offer offer) {
    List<Rule> all = new ArrayList<>();
    AlertRuleKey seller = new AlertRuleKey(caller, FavoriteKind.SELLER, offer.getSellerId());
    AlertRuleKey saved = new AlertRuleKey(caller, FavoriteKind.OFFER, offer.getId());
    Map<AlertRuleKey, AlertRule> own = database.read(tx -> rules.rules(tx, List.of(seller, saved)));
    if (own.containsKey(seller)) {
      all.add(
          Rule.newBuilder()
              .setKind(Rule.Kind.SELLER)
              .setId(offer.getSellerId())
              .setName(offer.getSellerId())
              .setMatches(true)
              .build());
    }
    AlertRule price = own.get(saved);
    if (price != null) {
      boolean changed = price.priceHash() != PriceHash.of(offer);
      Rule.Builder rule =
          Rule.newBuilder()
              .setKind(Rule.Kind.PRICE)
              .setId(offer.getId())
              .setName(offer.getTitle())
              .setMatches(changed);
      all.add((changed ? rule : rule.addFailingClauses("price=changed")).build());
    }
    return all;
  }
}
