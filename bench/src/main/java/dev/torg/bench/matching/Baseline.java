package dev.torg.bench.matching;

import dev.torg.bench.workload.SampleOffer;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/// Another product with the same function, too heavy to be on every classpath: loaded as a service.
public interface Baseline extends AutoCloseable {

  /// Makes a baseline with all queries loaded.
  interface Provider {
    String name();

    Baseline load(Iterator<Query> queries);
  }

  /// The batch size of offers that suits it best.
  int batch();

  /// The queries that each offer satisfies, analysis included.
  List<Set<SearchId>> match(List<SampleOffer> offers);

  @Override
  void close();
}
