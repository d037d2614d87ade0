/// The matching engine compared with Lucene Monitor (and, behind a profile, OpenSearch's percolator) on one
/// seeded workload.
@NullMarked
package dev.torg.bench.matching;

import org.jspecify.annotations.NullMarked;
