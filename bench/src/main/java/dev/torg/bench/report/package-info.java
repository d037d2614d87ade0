/// What a benchmark prints: results, the machine, the table and the JSON form.
@NullMarked
package dev.torg.bench.report;

import org.jspecify.annotations.NullMarked;
