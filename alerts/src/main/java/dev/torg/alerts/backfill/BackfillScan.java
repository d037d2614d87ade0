package dev.torg.alerts.backfill;

import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.SubscriptionBackfill;
import dev.torg.matching.Query;
import dev.torg.offers.ActiveOfferFilter;
import dev.torg.offers.category.Categories;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// A pass over offers in the order of first activation that serves many subscriptions.
///
/// @param filter the offers that may match any of them
/// @param rows the subscriptions it serves
/// @param queries of the searches among them
record BackfillScan(
    ActiveOfferFilter filter, List<SubscriptionBackfill> rows, Map<String, Query> queries) {
  /// More regions filter little and cost more than they save.
  static final int MAX_REGIONS = 50;

  BackfillScan {
    rows = List.copyOf(rows);
    queries = Map.copyOf(queries);
  }

  Instant from() {
    return rows.stream()
        .map(SubscriptionBackfill::scanFrom)
        .min(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  /// One scan for each seller that is followed or searched for, by the seller's index; and one for all
  /// other searches, filtered by category if each of them names one, and by region likewise. Searches
  /// without a query are not scanned.
  static List<BackfillScan> plan(
      List<SubscriptionBackfill> rows, Map<String, Query> queries, Categories categories) {
    Map<String, List<SubscriptionBackfill>> bySeller = new LinkedHashMap<>();
    List<SubscriptionBackfill> anySeller = new ArrayList<>();
    for (SubscriptionBackfill row : rows) {
      if (row.kind() == FavoriteKind.SELLER) {
        bySeller.computeIfAbsent(row.target(), _ -> new ArrayList<>()).add(row);
      } else if (queries.containsKey(row.target())) {
        String seller = queries.get(row.target()).seller();
        (seller == null ? anySeller : bySeller.computeIfAbsent(seller, _ -> new ArrayList<>()))
            .add(row);
      }
    }
    List<BackfillScan> scans = new ArrayList<>();
    bySeller.forEach(
        (seller, ofSeller) ->
            scans.add(
                new BackfillScan(
                    ActiveOfferFilter.ofSeller(seller), ofSeller, only(queries, ofSeller))));
    if (!anySeller.isEmpty()) {
      Map<String, Query> own = only(queries, anySeller);
      scans.add(new BackfillScan(narrowed(own.values(), categories), anySeller, own));
    }
    return scans;
  }

  private static Map<String, Query> only(
      Map<String, Query> queries, List<SubscriptionBackfill> rows) {
    Map<String, Query> selected = new HashMap<>();
    for (SubscriptionBackfill row : rows) {
      Query query = queries.get(row.target());
      if (row.kind() == FavoriteKind.SEARCH && query != null) {
        selected.put(row.target(), query);
      }
    }
    return selected;
  }

  private static ActiveOfferFilter narrowed(Collection<Query> queries, Categories categories) {
    Set<String> within = new TreeSet<>();
    Set<String> regions = new TreeSet<>();
    boolean allCategories = false;
    boolean allRegions = false;
    for (Query query : queries) {
      allCategories |= query.category() == null;
      allRegions |= query.regions().isEmpty();
      if (query.category() != null) {
        // A category that has left the tree may still have offers.
        within.add(query.category());
        within.addAll(categories.withDescendants(query.category()));
      }
      regions.addAll(query.regions());
    }
    return new ActiveOfferFilter(
        allCategories ? Set.of() : within,
        allRegions || regions.size() > MAX_REGIONS ? Set.of() : regions,
        Optional.empty());
  }
}
