package dev.torg.bench.alerts;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.SearchQuery;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.engine.QueryCheck;
import dev.torg.offers.category.Categories;
import dev.torg.platform.OfferId;
import dev.torg.queries.OfferFeatureExtractor;
import dev.torg.queries.QueryCanonicalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The expected alerts, by brute force: every search is tested against every offer in its category,
/// clause by clause, without the engine; and every follower of a seller against that seller's
/// offers.
final class Expected {
  private static final int PAGE_SIZE = 10_000;

  private final Set<Alerted> alerts = new HashSet<>();
  private long matches;

  /// A recipient and an offer.
  record Alerted(String recipient, long offer) {}

  private record Saved(String recipient, SearchQuery query) {}

  private record Seen(long id, OfferFeatures features) {}

  static Expected of(AlertRecipients recipients, List<Offer> offers) {
    Expected expected = new Expected();
    expected.addMatches(recipients, offers);
    expected.addFollowers(recipients, offers);
    return expected;
  }

  Set<Alerted> alerts() {
    return alerts;
  }

  /// Pairs of a search and an offer that it matches.
  long matches() {
    return matches;
  }

  /// Searches are drawn one after the other, then tested against the offers on all cores.
  private void addMatches(AlertRecipients recipients, List<Offer> offers) {
    Map<String, List<Seen>> byCategory = byCategory(offers);
    Supplier<SearchQuery> searches = recipients.drawSearches();
    for (int first = 0; first < recipients.searches(); first += PAGE_SIZE) {
      int count = Math.min(PAGE_SIZE, recipients.searches() - first);
      List<Saved> chunk = new ArrayList<>(count);
      for (int recipient = first; recipient < first + count; recipient++) {
        chunk.add(new Saved(AlertRecipients.recipient(recipient), searches.get()));
      }
      List<Alerted> alerted =
          chunk.parallelStream().flatMap(saved -> matches(saved, byCategory)).toList();
      matches += alerted.size();
      alerts.addAll(alerted);
    }
  }

  private static Stream<Alerted> matches(Saved saved, Map<String, List<Seen>> byCategory) {
    QueryCheck check = new QueryCheck(QueryCanonicalizer.canonical(saved.query));
    return byCategory.getOrDefault(saved.query.getCategory(), List.of()).stream()
        .filter(seen -> check.factsHold(seen.features) && check.textHolds(seen.features))
        .map(seen -> new Alerted(saved.recipient, seen.id));
  }

  /// Each offer under its category, its section, and under no category.
  private static Map<String, List<Seen>> byCategory(List<Offer> offers) {
    Categories categories = Site.categories();
    Map<String, List<Seen>> byCategory = new HashMap<>();
    for (Offer offer : offers) {
      Seen seen = new Seen(number(offer), OfferFeatureExtractor.of(offer, categories::parent));
      String parent =
          categories.find(offer.getCategory()).flatMap(leaf -> leaf.parent()).orElseThrow();
      for (String under : List.of(offer.getCategory(), parent, "")) {
        byCategory.computeIfAbsent(under, category -> new ArrayList<>()).add(seen);
      }
    }
    return byCategory;
  }

  private void addFollowers(AlertRecipients recipients, List<Offer> offers) {
    Map<String, List<Long>> bySeller = new HashMap<>();
    offers.forEach(
        offer ->
            bySeller
                .computeIfAbsent(offer.getSellerId(), seller -> new ArrayList<>())
                .add(number(offer)));
    for (int recipient = 0; recipient < recipients.follows(); recipient++) {
      for (long offer : bySeller.getOrDefault(recipients.followed(recipient), List.of())) {
        alerts.add(new Alerted(AlertRecipients.recipient(recipient), offer));
      }
    }
  }

  private static long number(Offer offer) {
    return OfferId.parse(offer.getId()).number();
  }
}
