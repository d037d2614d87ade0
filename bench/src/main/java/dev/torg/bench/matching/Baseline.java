package dev.torg.bench.matching;

import dev.torg.bench.workload.SampleOffer;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/// Another product that answers the same question, too heavy to be on every classpath: found as a service.
public interface Baseline extends AutoCloseable {

  /// Makes a baseline with all queries loaded.
  interface Provider {
    String name();

    Baseline load(Iterator<Query> queries);
  }

  /// Offers it is best given at once.
  int batch();

  /// The queries that each offer satisfies, analysis included.
  List<Set<SearchId>> match(List<SampleOffer> offers);

  @Override
  void close();
}
