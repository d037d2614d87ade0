package dev.torg.favorites.read;

import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gauges: favorites by kind, and login merges that fail repeatedly. The sums over all owners are slow, so
/// they are computed in the background, at most every five minutes, when a gauge is read.
public final class FavoriteTotalsMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(FavoriteTotalsMetrics.class);
  private static final Duration REFRESH_INTERVAL = Duration.ofMinutes(5);

  private static final String SUM =
      """
      SELECT coalesce(sum(offers), 0), coalesce(sum(searches), 0), coalesce(sum(sellers), 0),
             coalesce(sum(notes), 0), coalesce(sum(collections), 0)
        FROM favorite_owner
      """;

  private static final String FAILING_MERGES =
      "SELECT count(*) FROM move WHERE finished_at IS NULL AND attempts >= ?";

  private static final List<FavoriteKind> KINDS =
      List.of(
          FavoriteKind.OFFER,
          FavoriteKind.SEARCH,
          FavoriteKind.SELLER,
          FavoriteKind.NOTE,
          FavoriteKind.COLLECTION);

  private final Database database;
  private final int alarmingAttempts;
  private final AtomicLong nextRefresh = new AtomicLong(System.nanoTime());
  private volatile Map<FavoriteKind, Long> totals = Map.of();
  private volatile double failingMerges = Double.NaN;

  /// @param alarmingAttempts failed attempts after which a login merge is counted
  public FavoriteTotalsMetrics(Database database, int alarmingAttempts, MeterRegistry registry) {
    this.database = database;
    this.alarmingAttempts = alarmingAttempts;
    for (FavoriteKind kind : KINDS) {
      Gauge.builder("torg.favorites.saved", () -> total(kind))
          .description("Favorites by kind")
          .tag("kind", kind.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    Gauge.builder("torg.favorites.moves.failing", this::failingMerges)
        .description("Login merges that have failed at least five times in a row")
        .register(registry);
  }

  /// The last sum; NaN before the first.
  double total(FavoriteKind kind) {
    refresh();
    Long total = totals.get(kind);
    return total == null ? Double.NaN : total;
  }

  private double failingMerges() {
    refresh();
    return failingMerges;
  }

  private void refresh() {
    long due = nextRefresh.get();
    if (System.nanoTime() - due >= 0
        && nextRefresh.compareAndSet(due, due + REFRESH_INTERVAL.toNanos())) {
      Thread.ofVirtual().name("favorites-totals").start(this::readTotals);
    }
  }

  private void readTotals() {
    try {
      totals = database.read(FavoriteTotalsMetrics::sum);
      failingMerges = database.read(this::countFailingMerges);
    } catch (RuntimeException e) {
      LOG.warn("cannot sum favorites: {}", e.toString());
    }
  }

  private static Map<FavoriteKind, Long> sum(Tx tx) throws SQLException {
    Map<FavoriteKind, Long> sums = new EnumMap<>(FavoriteKind.class);
    tx.sql(SUM)
        .each(
            row -> {
              for (int i = 0; i < KINDS.size(); i++) {
                sums.put(KINDS.get(i), row.longAt(i + 1));
              }
            });
    return sums;
  }

  private double countFailingMerges(Tx tx) throws SQLException {
    return tx.sql(FAILING_MERGES)
        .set(alarmingAttempts)
        .first(row -> (double) row.longAt(1))
        .orElse(0.0);
  }
}
