package dev.torg.favorites.service;

import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Estimate;
import dev.torg.api.v1.SavedSearch;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.read.FavoriteReader;
import dev.torg.favorites.write.FavoriteCommand;
import dev.torg.favorites.write.FavoriteCommands;
import dev.torg.favorites.write.FavoriteEvents;
import dev.torg.favorites.write.FavoriteRow;
import dev.torg.favorites.write.FavoriteWriter;
import dev.torg.matching.Query;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.queries.QueryCanonicalizer;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Saves searches under the id of their canonical form. A search with too many matches is saved as DAILY,
/// with a hint. Blocks.
public final class SavedSearchService {
  private static final int MAX_NAME_LENGTH = 200;

  private final FavoriteWriter writer;
  private final FavoriteReader reader;
  private final SearchEstimator estimator;
  private final double maxInstantPerDay;
  private final InstantSource clock;

  public SavedSearchService(
      FavoriteWriter writer,
      FavoriteReader reader,
      SearchEstimator estimator,
      double maxInstantPerDay,
      InstantSource clock) {
    this.writer = writer;
    this.reader = reader;
    this.estimator = estimator;
    this.maxInstantPerDay = maxInstantPerDay;
    this.clock = clock;
  }

  public Estimate estimate(SearchQuery query) {
    return estimator.of(QueryCanonicalizer.canonical(query));
  }

  public SavedSearch save(
      String owner, SearchQuery query, String name, Optional<DeliverySettings> settings) {
    requireName(name);
    Query canonical = QueryCanonicalizer.canonical(query);
    Estimate estimate = estimator.of(canonical);
    FavoriteRow row =
        change(
            new FavoriteCommands.SaveSearch(
                owner,
                canonical.searchId().hex(),
                Optional.of(name).filter(requested -> !requested.isEmpty()),
                settings,
                isBroad(estimate),
                SavedSearch.newBuilder().setQuery(query).build(),
                clock.instant().truncatedTo(ChronoUnit.MICROS)));
    return withHint(of(row), estimate, settings);
  }

  /// INSTANT becomes DAILY for a search that is too broad; its estimate is computed before the write.
  public SavedSearch update(
      String owner, String id, Optional<String> name, Optional<DeliverySettings> settings) {
    name.ifPresent(SavedSearchService::requireName);
    Optional<Estimate> estimate =
        settings.filter(SavedSearchService::mayBeInstant).map(_ -> estimate(owner, id));
    boolean broad = estimate.filter(this::isBroad).isPresent();
    SavedSearch changed =
        of(
            change(
                new FavoriteCommands.Update(
                    owner, FavoriteKind.SEARCH, id, name, settings, broad)));
    return estimate.map(value -> withHint(changed, value, settings)).orElse(changed);
  }

  private Estimate estimate(String owner, String id) {
    return reader
        .get(owner, FavoriteKind.SEARCH, id)
        .map(savedItem -> estimate(FavoriteEvents.search(savedItem.row()).getQuery()))
        .orElseThrow(() -> Failure.notFound("favorite.unknown", "this is not saved"));
  }

  private FavoriteRow change(FavoriteCommand command) {
    return writer.submit(command).join().row().orElseThrow();
  }

  /// With the estimate and, if INSTANT was reduced to DAILY, a hint.
  private SavedSearch withHint(
      SavedSearch search, Estimate estimate, Optional<DeliverySettings> requested) {
    boolean reduced =
        isBroad(estimate)
            && search.getSettings().getDelivery() == Delivery.DAILY
            && mayBeInstant(requested.orElse(DeliverySettings.getDefaultInstance()));
    SavedSearch.Builder response = search.toBuilder().setEstimate(estimate);
    return reduced ? response.setHint(hint(estimate)).build() : response.build();
  }

  public static SavedSearch of(FavoriteRow row) {
    SavedSearch.Builder search =
        FavoriteEvents.search(row).toBuilder()
            .setSearchId(row.id())
            .setName(row.name())
            .setSettings(FavoriteEvents.settings(row))
            .setCreatedAt(EpochMicros.timestamp(row.createdAt()))
            .setNewMatches(row.newMatches());
    if (row.lastNotifiedAt() != null) {
      search.setLastNotifiedAt(EpochMicros.timestamp(row.lastNotifiedAt()));
    }
    return search.build();
  }

  private boolean isBroad(Estimate estimate) {
    return estimate.hasAlertsPerDay() && estimate.getAlertsPerDay() > maxInstantPerDay;
  }

  /// The default delivery is INSTANT.
  private static boolean mayBeInstant(DeliverySettings settings) {
    return settings.getDelivery() == Delivery.INSTANT
        || settings.getDelivery() == Delivery.DELIVERY_UNSPECIFIED;
  }

  private String hint(Estimate estimate) {
    return "This search would bring about %.0f alerts a day, more than %.0f: it has DAILY delivery. Narrow it to be notified at once."
        .formatted(estimate.getAlertsPerDay(), maxInstantPerDay);
  }

  private static void requireName(String name) {
    if (name.length() > MAX_NAME_LENGTH) {
      throw Failure.invalid("search.name", "bad name", "name", "at most 200 characters");
    }
  }
}
