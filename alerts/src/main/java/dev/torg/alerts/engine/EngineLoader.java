package dev.torg.alerts.engine;

import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.Audiences.LiveSearch;
import dev.torg.matching.Query;
import dev.torg.matching.engine.Engine;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.queries.QueryCanonicalizer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fills an engine from the database, home by home.
final class EngineLoader {
  private static final Logger LOG = LoggerFactory.getLogger(EngineLoader.class);
  private static final int PAGE_SIZE = 5_000;

  private final Audiences audiences;

  EngineLoader(Audiences audiences) {
    this.audiences = audiences;
  }

  void into(Engine engine) {
    Iterator<Query> queries =
        IntStream.range(0, Home.COUNT)
            .mapToObj(Home::new)
            .flatMap(home -> all(home).flatMap(s -> query(s.searchId(), s.query()).stream()))
            .iterator();
    engine.load(queries);
  }

  private Stream<LiveSearch> all(Home home) {
    List<LiveSearch> all = new ArrayList<>();
    List<LiveSearch> page;
    do {
      String after = all.isEmpty() ? "" : all.getLast().searchId();
      page = audiences.searches(home, after, PAGE_SIZE);
      all.addAll(page);
    } while (page.size() == PAGE_SIZE);
    return all.stream();
  }

  /// Empty, with a line in the log, for a query that this version cannot read: one such search must not
  /// prevent all others from being matched.
  static Optional<Query> query(String searchId, SearchQuery stored) {
    try {
      Query query = QueryCanonicalizer.canonical(stored);
      if (query.searchId().hex().equals(searchId)) {
        return Optional.of(query);
      }
      LOG.error("search {} reads as {} now and is omitted", searchId, query.searchId());
    } catch (Failure e) {
      LOG.error("search {} cannot be read and is omitted: {}", searchId, e.violations());
    }
    return Optional.empty();
  }
}
