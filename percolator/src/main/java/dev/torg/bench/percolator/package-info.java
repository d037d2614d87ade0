/// OpenSearch's percolator, in process from its published artifacts, as a baseline of `bench matching`. Built and run only with the
/// Maven profile `percolator`. Text is analysed by Torg's own analysis on both sides and handed over as stems.
@NullMarked
package dev.torg.bench.percolator;

import org.jspecify.annotations.NullMarked;
