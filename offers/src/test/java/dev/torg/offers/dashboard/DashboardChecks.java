package dev.torg.offers.dashboard;

import static dev.torg.offers.wiring.OffersFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Preset.Name;
import dev.torg.offers.dashboard.SellerDashboardService.Listing;
import dev.torg.offers.dashboard.SellerDashboardService.Page;
import dev.torg.offers.store.Presets;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.Home;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Compares a seller's dashboard with a recount from the tables.
public final class DashboardChecks {
  private static final String RECOUNT =
      """
      SELECT n.name, count(*) FROM offer o
       CROSS JOIN LATERAL (VALUES (1), (CASE o.status WHEN 1 THEN 2 WHEN 2 THEN 3 WHEN 3 THEN 4
                                         WHEN 4 THEN 5 WHEN 5 THEN 6 WHEN 6 THEN 7 END),
                                  (CASE o.status WHEN 4 THEN 8 END)) AS n (name)
       WHERE o.home = ? AND o.seller = ? AND o.kind = 'offer' AND o.status <> 7 AND n.name IS NOT NULL
       GROUP BY n.name
      """;

  private final OffersFixture offers;

  public DashboardChecks(OffersFixture offers) {
    this.offers = offers;
  }

  /// The counts of a seller without failed photos, from the offers themselves.
  public Map<Name, Long> recount(String seller) {
    Map<Name, Long> counts = new EnumMap<>(Name.class);
    Presets.NAMES.forEach(name -> counts.put(name, 0L));
    offers
        .database()
        .read(
            tx -> {
              tx.sql(RECOUNT)
                  .set(Home.of(seller))
                  .set(seller)
                  .each(row -> counts.put(Name.forNumber(row.intAt(1)), row.longAt(2)));
              return true;
            });
    return counts;
  }

  /// The number of rows of each preset.
  public Map<Name, Long> rows(String seller) {
    Map<Name, Long> counts = new EnumMap<>(Name.class);
    Presets.NAMES.forEach(name -> counts.put(name, 0L));
    offers
        .database()
        .read(
            tx -> {
              tx.sql("SELECT preset, count(*) FROM seller_preset WHERE seller = ? GROUP BY preset")
                  .set(seller)
                  .each(row -> counts.put(Name.forNumber(row.intAt(1)), row.longAt(2)));
              return true;
            });
    return counts;
  }

  public Map<Name, Long> counts(Caller seller) {
    return new TreeMap<>(await(offers.dashboard().counts(seller, seller.subject())));
  }

  public void assertExact(Caller seller) {
    Map<Name, Long> expected = new TreeMap<>(recount(seller.subject()));
    assertThat(counts(seller)).isEqualTo(expected);
    assertThat(new TreeMap<>(rows(seller.subject()))).isEqualTo(expected);
  }

  /// All ids of a preset, page by page.
  public List<String> list(Caller caller, String seller, Name preset, int pageSize) {
    List<String> ids = new ArrayList<>();
    String token = "";
    do {
      Page page =
          await(
              offers
                  .dashboard()
                  .list(Optional.of(caller), new Listing(seller, preset, "", pageSize, token)));
      page.offers().stream().map(Offer::getId).forEach(ids::add);
      token = page.nextPageToken();
    } while (!token.isEmpty());
    return ids;
  }
}
