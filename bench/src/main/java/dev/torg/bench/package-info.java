/// Load drivers, workload generators and baselines. Every benchmark and every verification ends in
/// one [Report]: a table for the terminal, one JSON object for programs.
@NullMarked
package dev.torg.bench;

import org.jspecify.annotations.NullMarked;
