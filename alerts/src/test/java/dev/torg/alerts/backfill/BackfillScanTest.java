package dev.torg.alerts.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.SubscriptionBackfill;
import dev.torg.matching.Query;
import dev.torg.offers.ActiveOfferFilter;
import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryFile;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackfillScanTest {
  private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
  private static final Categories CATEGORIES = CategoryFile.defaultTree();

  private static SubscriptionBackfill search(String id, int minute) {
    return new SubscriptionBackfill(
        FavoriteKind.SEARCH, id, "user:1", 1, NOON, NOON.plusSeconds(60L * minute));
  }

  private static SubscriptionBackfill follow(String seller, int minute) {
    return new SubscriptionBackfill(
        FavoriteKind.SELLER, seller, "user:1", 1, NOON, NOON.plusSeconds(60L * minute));
  }

  private static List<BackfillScan> plan(
      List<SubscriptionBackfill> rows, Map<String, Query> queries) {
    return BackfillScan.plan(rows, queries, CATEGORIES);
  }

  private static ActiveOfferFilter filter(Query... queries) {
    Map<String, Query> named =
        IntStream.range(0, queries.length)
            .boxed()
            .collect(Collectors.toMap(i -> "s" + i, i -> queries[i]));
    List<SubscriptionBackfill> rows = named.keySet().stream().map(id -> search(id, 0)).toList();
    return plan(rows, named).getFirst().filter();
  }

  @Test
  void plan_followsAndSearchesOfASeller_shareTheSellersScan() {
    Query ofSeller = Query.builder().seller("user:7").build();
    List<BackfillScan> scans =
        plan(
            List.of(follow("user:7", 3), search("s", 1), follow("user:8", 2)),
            Map.of("s", ofSeller));
    assertThat(scans)
        .extracting(BackfillScan::filter)
        .containsExactly(
            ActiveOfferFilter.ofSeller("user:7"), ActiveOfferFilter.ofSeller("user:8"));
    assertThat(scans.getFirst().rows()).hasSize(2);
    assertThat(scans.getFirst().from()).isEqualTo(NOON.plusSeconds(60));
  }

  @Test
  void plan_searches_shareOneScanFromTheEarliest() {
    Query golf = Query.builder().text("golf").build();
    List<BackfillScan> scans =
        plan(List.of(search("a", 5), search("b", 2)), Map.of("a", golf, "b", golf));
    assertThat(scans).hasSize(1);
    assertThat(scans.getFirst().from()).isEqualTo(NOON.plusSeconds(120));
  }

  @Test
  void plan_searchWithoutAQuery_isInNoScan() {
    assertThat(plan(List.of(search("gone", 1)), Map.of())).isEmpty();
  }

  @Test
  void plan_allNameACategory_narrowsToThemAndWhatIsBelow() {
    ActiveOfferFilter filter =
        filter(
            Query.builder().category("cars").build(),
            Query.builder().category("no longer there").build());
    assertThat(filter.categories())
        .containsAll(CATEGORIES.withDescendants("cars"))
        .contains("no longer there");
    assertThat(filter.regions()).isEmpty();
  }

  @Test
  void plan_oneNamesNoCategory_readsAllCategories() {
    ActiveOfferFilter filter =
        filter(Query.builder().category("cars").build(), Query.builder().text("golf").build());
    assertThat(filter).isEqualTo(ActiveOfferFilter.ALL);
  }

  @Test
  void plan_allNameRegions_narrowsToThem() {
    ActiveOfferFilter filter =
        filter(Query.builder().region("de/hessen").build(), Query.builder().region("at").build());
    assertThat(filter)
        .isEqualTo(new ActiveOfferFilter(Set.of(), Set.of("de/hessen", "at"), Optional.empty()));
  }

  @Test
  void plan_tooManyRegions_readsAllRegions() {
    Query[] queries =
        IntStream.rangeClosed(0, BackfillScan.MAX_REGIONS)
            .mapToObj(i -> Query.builder().region("de/" + i).build())
            .toArray(Query[]::new);
    assertThat(filter(queries).regions()).isEmpty();
  }
}
