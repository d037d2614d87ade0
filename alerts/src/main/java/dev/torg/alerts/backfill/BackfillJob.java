package dev.torg.alerts.backfill;

import dev.torg.alerts.event.AlertSink;
import dev.torg.alerts.event.StormSink;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.SubscriptionBackfill;
import dev.torg.favorites.SubscriptionBackfills;
import dev.torg.matching.Query;
import dev.torg.offers.Offers;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.lease.Lease;
import dev.torg.queries.QueryCanonicalizer;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notifies new subscribers of the offers activated between the moment they subscribed and the moment
/// their subscription was projected. Offers handled before the projection did not find them in the
/// audience; offers handled after it do.
///
/// The projection adds a row for each subscription in its own transaction. A run takes all waiting rows,
/// within a limit of memory, and serves them by one pass over the offers ([BackfillScan]): its cost
/// depends on how far it reaches back, not on how many rows wait. Rows are deleted when the alerts are
/// durable in Kafka; delivery deduplicates repetitions. More than 20 offers of a seller for one recipient
/// are collapsed like a storm, and wait like one during backpressure ([BackfillAlerts]).
///
/// **Two ranges.** Rows that reach back a few seconds, the usual case, have runs of their own, so that
/// they never wait for a pass over an hour of offers. A row that is not served in time ages into the
/// other range; serving it in both is harmless.
///
/// **One runner.** Only the holder of the first group's lease runs, for all homes: otherwise every
/// process would read the same offers. Two holders at once are harmless.
public final class BackfillJob {
  private static final Logger LOG = LoggerFactory.getLogger(BackfillJob.class);

  private static final int RUNNER_GROUP = 0;

  /// How far back rows of the recent range reach: a pass over these offers takes well under a second.
  private static final Duration RECENT = Duration.ofMinutes(2);

  /// Rows whose queries are read by one statement.
  private static final int CHUNK_ROWS = 100;

  /// The range of times in the database.
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant END_OF_TIME = Instant.parse("9999-01-01T00:00:00Z");

  /// Which rows a run takes, by how far they reach back.
  public enum Range {
    RECENT,
    OLDER
  }

  /// Memory limits of one run.
  ///
  /// @param subscriptions rows
  /// @param queryBytes of the searches' stored queries; parsed and compiled they need several times more
  public record Limits(int subscriptions, long queryBytes) {
    public static Limits defaults() {
      return new Limits(10_000, 8L << 20);
    }
  }

  /// Where a run sends its alerts.
  ///
  /// @param database numbers the offers of storms
  /// @param allowsStorms whether backpressure allows storms
  public record Sending(
      Database database, AlertSink alerts, StormSink storms, BooleanSupplier allowsStorms) {}

  private final Offers offers;
  private final SubscriptionBackfills backfills;
  private final Sending sending;
  private final Limits limits;
  private final InstantSource clock;
  private final BackfillMetrics metrics;

  /// Rows that could not be served because of backpressure. Skipped while it lasts.
  private final Set<SubscriptionBackfill> deferred = ConcurrentHashMap.newKeySet();

  public BackfillJob(
      Offers offers,
      SubscriptionBackfills backfills,
      Sending sending,
      Limits limits,
      InstantSource clock,
      MeterRegistry registry) {
    this.offers = offers;
    this.backfills = backfills;
    this.sending = sending;
    this.limits = limits;
    this.clock = clock;
    this.metrics = new BackfillMetrics(backfills, registry);
  }

  /// A home of the runner's group if any row waits.
  public List<Home> due(Range range, List<Home> homes, Instant now) {
    Optional<Home> runner = homes.stream().filter(h -> h.group() == RUNNER_GROUP).findFirst();
    boolean due =
        runner.isPresent() && backfills.isAnyWaiting(from(range, now), before(range, now));
    return due ? List.of(runner.get()) : List.of();
  }

  /// Returns whether more may be due.
  public boolean run(Range range, Lease lease, Instant now) {
    return lease.group() == RUNNER_GROUP && run(range, now, lease::isValid);
  }

  boolean run(Range range, Instant now, BooleanSupplier shouldContinue) {
    List<SubscriptionBackfill> waiting =
        backfills.waiting(from(range, now), before(range, now), limits.subscriptions());
    List<SubscriptionBackfill> ready = ready(waiting);
    if (ready.isEmpty()) {
      return false;
    }
    Loaded loaded = load(ready);
    List<BackfillScan> scans = BackfillScan.plan(loaded.rows, loaded.queries, offers.categories());
    BackfillAlerts alerts = new BackfillAlerts(sending);
    boolean ended =
        new BackfillRun(offers, backfills, alerts, clock, metrics, shouldContinue).run(scans);
    deferred.addAll(alerts.deferred());
    backfills.remove(loaded.matchNothing());
    return ended && (waiting.size() == limits.subscriptions() || loaded.rows.size() < ready.size());
  }

  private List<SubscriptionBackfill> ready(List<SubscriptionBackfill> waiting) {
    if (!deferred.isEmpty() && sending.allowsStorms().getAsBoolean()) {
      deferred.clear();
    }
    return waiting.stream().filter(row -> !deferred.contains(row)).toList();
  }

  private static Instant from(Range range, Instant now) {
    return range == Range.RECENT ? now.minus(RECENT) : EARLIEST;
  }

  private static Instant before(Range range, Instant now) {
    return range == Range.RECENT ? END_OF_TIME : now.minus(RECENT);
  }

  /// The rows that a run serves and the queries of their searches.
  private record Loaded(List<SubscriptionBackfill> rows, Map<String, Query> queries) {
    /// A query that cannot be read matches nothing, here and in the engine.
    List<SubscriptionBackfill> matchNothing() {
      return rows.stream()
          .filter(row -> row.kind() == FavoriteKind.SEARCH && !queries.containsKey(row.target()))
          .toList();
    }
  }

  /// As many rows as their queries fit into memory; at least one.
  private Loaded load(List<SubscriptionBackfill> waiting) {
    Map<String, Query> queries = new HashMap<>();
    Set<String> loaded = new HashSet<>();
    List<SubscriptionBackfill> rows = new ArrayList<>();
    long bytes = 0;
    for (List<SubscriptionBackfill> chunk : chunks(waiting)) {
      if (bytes >= limits.queryBytes()) {
        break;
      }
      for (Map.Entry<String, SearchQuery> query :
          backfills.queries(unknown(chunk, loaded)).entrySet()) {
        bytes += query.getValue().getSerializedSize();
        canonical(query.getKey(), query.getValue())
            .ifPresent(canonical -> queries.put(query.getKey(), canonical));
      }
      rows.addAll(chunk);
    }
    return new Loaded(rows, queries);
  }

  private static Set<String> unknown(List<SubscriptionBackfill> rows, Set<String> loaded) {
    Set<String> ids = new HashSet<>();
    for (SubscriptionBackfill row : rows) {
      if (row.kind() == FavoriteKind.SEARCH && loaded.add(row.target())) {
        ids.add(row.target());
      }
    }
    return ids;
  }

  private static List<List<SubscriptionBackfill>> chunks(List<SubscriptionBackfill> rows) {
    List<List<SubscriptionBackfill>> chunks = new ArrayList<>();
    for (int from = 0; from < rows.size(); from += CHUNK_ROWS) {
      chunks.add(rows.subList(from, Math.min(rows.size(), from + CHUNK_ROWS)));
    }
    return chunks;
  }

  private static Optional<Query> canonical(String id, SearchQuery query) {
    try {
      return Optional.of(QueryCanonicalizer.canonical(query));
    } catch (Failure e) {
      LOG.error("search {} cannot be read: {}", id, e.violations());
      return Optional.empty();
    }
  }
}
