package dev.torg.favorites.search;

import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Estimate;
import dev.torg.api.v1.SavedSearch;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.Queries;
import dev.torg.favorites.book.Commands;
import dev.torg.favorites.book.FavoriteEvents;
import dev.torg.favorites.book.FavoriteRow;
import dev.torg.favorites.book.FavoriteWriter;
import dev.torg.matching.Query;
import dev.torg.platform.Failure;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Saves searches under the id of their canonical form. A search so broad that it would ring all day
/// is taken as DAILY only, and says so. Blocks.
public final class SearchService {
  private static final int LONGEST_NAME = 200;

  private final FavoriteWriter writer;
  private final Estimates estimates;
  private final double mostInstantPerDay;
  private final InstantSource clock;

  public SearchService(
      FavoriteWriter writer, Estimates estimates, double mostInstantPerDay, InstantSource clock) {
    this.writer = writer;
    this.estimates = estimates;
    this.mostInstantPerDay = mostInstantPerDay;
    this.clock = clock;
  }

  public Estimate estimate(SearchQuery query) {
    return estimates.of(Queries.canonical(query));
  }

  public SavedSearch save(
      String owner, SearchQuery query, String name, Optional<DeliverySettings> settings) {
    requireName(name);
    Query canonical = Queries.canonical(query);
    Estimate estimate = estimates.of(canonical);
    boolean broad = isBroad(estimate);
    boolean reduced = broad && wantsInstant(settings.orElse(DeliverySettings.getDefaultInstance()));
    Optional<DeliverySettings> taken = reduced ? Optional.of(daily(settings)) : settings;
    FavoriteRow row =
        writer
            .submit(
                new Commands.SaveSearch(
                    owner,
                    canonical.searchId().hex(),
                    Optional.of(name).filter(given -> !given.isEmpty()),
                    taken,
                    SavedSearch.newBuilder().setQuery(query).build(),
                    clock.instant().truncatedTo(ChronoUnit.MICROS)))
            .join()
            .row()
            .orElseThrow();
    SavedSearch.Builder saved = of(row).toBuilder().setEstimate(estimate);
    return reduced ? saved.setHint(hint(estimate)).build() : saved.build();
  }

  /// Where a search is too broad, INSTANT becomes DAILY here too.
  public SavedSearch update(
      String owner, String id, Optional<String> name, Optional<DeliverySettings> settings) {
    name.ifPresent(SearchService::requireName);
    FavoriteRow row = change(owner, id, name, settings);
    boolean asked = settings.filter(SearchService::wantsInstant).isPresent();
    if (!asked) {
      return of(row);
    }
    Estimate estimate = estimates.of(Queries.canonical(of(row).getQuery()));
    if (!isBroad(estimate)) {
      return of(row).toBuilder().setEstimate(estimate).build();
    }
    FavoriteRow daily = change(owner, id, Optional.empty(), Optional.of(daily(settings)));
    return of(daily).toBuilder().setEstimate(estimate).setHint(hint(estimate)).build();
  }

  private FavoriteRow change(
      String owner, String id, Optional<String> name, Optional<DeliverySettings> settings) {
    return writer
        .submit(new Commands.Update(owner, FavoriteKind.SEARCH, id, name, settings))
        .join()
        .row()
        .orElseThrow();
  }

  public static SavedSearch of(FavoriteRow row) {
    SavedSearch.Builder search =
        FavoriteEvents.search(row).toBuilder()
            .setSearchId(row.id())
            .setName(row.name())
            .setSettings(FavoriteEvents.settings(row))
            .setCreatedAt(FavoriteEvents.timestamp(row.createdAt()))
            .setNewMatches(row.newMatches());
    if (row.lastNotifiedAt() != null) {
      search.setLastNotifiedAt(FavoriteEvents.timestamp(row.lastNotifiedAt()));
    }
    return search.build();
  }

  private boolean isBroad(Estimate estimate) {
    return estimate.hasAlertsPerDay() && estimate.getAlertsPerDay() > mostInstantPerDay;
  }

  private static boolean wantsInstant(DeliverySettings settings) {
    return settings.getDelivery() == Delivery.INSTANT
        || settings.getDelivery() == Delivery.DELIVERY_UNSPECIFIED;
  }

  private static DeliverySettings daily(Optional<DeliverySettings> settings) {
    return settings.orElse(DeliverySettings.getDefaultInstance()).toBuilder()
        .setDelivery(Delivery.DAILY)
        .build();
  }

  private String hint(Estimate estimate) {
    return "This search would bring about %.0f alerts a day, more than %.0f: it was saved with DAILY delivery. Narrow it to be told at once."
        .formatted(estimate.getAlertsPerDay(), mostInstantPerDay);
  }

  private static void requireName(String name) {
    if (name.length() > LONGEST_NAME) {
      throw Failure.invalid("search.name", "bad name", "name", "at most 200 characters");
    }
  }
}
