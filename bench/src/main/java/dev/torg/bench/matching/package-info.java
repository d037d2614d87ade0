/// The matching engine measured beside Lucene Monitor (and, behind a profile, OpenSearch's percolator) on one seeded workload.
@NullMarked
package dev.torg.bench.matching;

import org.jspecify.annotations.NullMarked;
