package dev.torg.alerts.backfill;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import dev.torg.matching.engine.Engine;
import dev.torg.matching.engine.QueryCheck;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Matches an offer against a set of queries. A few are checked one by one; many get an engine of their
/// own, which costs megabytes but makes the cost of an offer nearly independent of their number.
final class QueryMatcher implements AutoCloseable {
  /// About where an engine begins to pay for itself.
  static final int MIN_ENGINE_QUERIES = 200;

  private record Checked(SearchId id, QueryCheck check) {}

  private final List<Checked> checks;
  private final @Nullable Engine engine;

  private QueryMatcher(List<Checked> checks, @Nullable Engine engine) {
    this.checks = checks;
    this.engine = engine;
  }

  static QueryMatcher of(Map<SearchId, Query> queries, InstantSource clock) {
    if (queries.size() < MIN_ENGINE_QUERIES) {
      return new QueryMatcher(
          queries.entrySet().stream()
              .map(entry -> new Checked(entry.getKey(), new QueryCheck(entry.getValue())))
              .collect(Collectors.toList()),
          null);
    }
    Engine engine = Engine.create(clock);
    engine.load(queries.values().iterator());
    return new QueryMatcher(List.of(), engine);
  }

  List<SearchId> matching(OfferFeatures offer) {
    return engine != null
        ? engine.rematch(offer).ids()
        : checks.stream().filter(checked -> holds(checked.check, offer)).map(Checked::id).toList();
  }

  boolean isAnyMatching(OfferFeatures offer) {
    return engine != null
        ? engine.rematch(offer).size() > 0
        : checks.stream().anyMatch(checked -> holds(checked.check, offer));
  }

  private static boolean holds(QueryCheck check, OfferFeatures offer) {
    return check.factsHold(offer) && check.textHolds(offer);
  }

  @Override
  public void close() {
    if (engine != null) {
      engine.close();
    }
  }
}
