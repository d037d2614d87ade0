/// Load drivers, workload generators and baselines. Every benchmark and every verification ends in one [Report]:
/// a table for people, one JSON object for machines.
@NullMarked
package dev.torg.bench;

import org.jspecify.annotations.NullMarked;
