package dev.torg.alerts.backfill;

import dev.torg.api.v1.Offer;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import dev.torg.matching.engine.QueryCheck;
import dev.torg.offers.category.Categories;
import dev.torg.queries.OfferFeatureExtractor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Matches offers against searches. The text of an offer, which is the most expensive part, is analysed
/// only if the offer satisfies everything else of at least one search with text.
final class SearchMatcher implements AutoCloseable {
  private static final SortedSet<String> NO_TEXT =
      Collections.unmodifiableSortedSet(new TreeSet<>());

  private final Map<SearchId, List<String>> stored = new HashMap<>();
  private final QueryMatcher fullMatcher;

  /// The searches with text, without their text.
  private final QueryMatcher facts;

  /// Whether a search has only text.
  private final boolean anyTextOnly;

  private final Categories categories;
  private final Runnable onAnalysis;

  /// @param queries by the id under which the search is stored
  /// @param onAnalysis called for each offer whose text is analysed
  SearchMatcher(
      Map<String, Query> queries, Categories categories, InstantSource clock, Runnable onAnalysis) {
    this.categories = categories;
    this.onAnalysis = onAnalysis;
    Map<SearchId, Query> distinct = new HashMap<>();
    Map<SearchId, Query> withoutText = new HashMap<>();
    boolean textOnly = false;
    for (Map.Entry<String, Query> entry : queries.entrySet()) {
      Query query = entry.getValue();
      SearchId id = query.searchId();
      stored.computeIfAbsent(id, _ -> new ArrayList<>()).add(entry.getKey());
      if (distinct.put(id, query) == null && new QueryCheck(query).hasText()) {
        Optional<Query> facts = withoutText(query);
        facts.ifPresent(fact -> withoutText.put(fact.searchId(), fact));
        textOnly |= facts.isEmpty();
      }
    }
    this.anyTextOnly = textOnly;
    this.fullMatcher = QueryMatcher.of(distinct, clock);
    this.facts = QueryMatcher.of(withoutText, clock);
  }

  /// The stored ids of the searches that the offer satisfies.
  List<String> matching(Offer offer) {
    List<String> matching = new ArrayList<>();
    if (!stored.isEmpty()) {
      for (SearchId id : fullMatcher.matching(features(offer))) {
        matching.addAll(stored.getOrDefault(id, List.of()));
      }
    }
    return matching;
  }

  private OfferFeatures features(Offer offer) {
    OfferFeatures cheap = OfferFeatureExtractor.withoutText(offer, categories::parent);
    if (anyTextOnly || facts.isAnyMatching(cheap)) {
      onAnalysis.run();
      return OfferFeatureExtractor.of(offer, categories::parent);
    }
    return cheap;
  }

  /// Empty if the query has no other conditions.
  private static Optional<Query> withoutText(Query query) {
    boolean hasConditions =
        query.category() != null
            || !query.regions().isEmpty()
            || query.price() != null
            || !query.ranges().isEmpty()
            || !query.anyOf().isEmpty()
            || query.seller() != null
            || query.withPhotos();
    return hasConditions
        ? Optional.of(
            new Query(
                query.category(),
                query.regions(),
                query.price(),
                query.ranges(),
                query.anyOf(),
                query.noneOf(),
                NO_TEXT,
                NO_TEXT,
                NO_TEXT,
                NO_TEXT,
                query.seller(),
                query.withPhotos()))
        : Optional.empty();
  }

  @Override
  public void close() {
    fullMatcher.close();
    facts.close();
  }
}
