package dev.torg.bench.percolator;

import dev.torg.bench.matching.Baseline;
import dev.torg.matching.Query;
import java.util.Iterator;

/// Provides the percolator to the benchmark.
public final class PercolatorProvider implements Baseline.Provider {
  @Override
  public String name() {
    return "Percolator";
  }

  @Override
  public Baseline load(Iterator<Query> queries) {
    return new PercolatorBaseline(queries);
  }
}
