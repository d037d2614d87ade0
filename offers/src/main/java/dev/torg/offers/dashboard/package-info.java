/// The seller dashboard: presets (lists of a seller's offers by state), their counts, and the counters
/// of sales.
///
/// Rows and counts change in the transaction that changes the offer, so a count is always the number
/// of its rows, and a page or a count costs the same at any size. A repair needs no pause: within one
/// snapshot the difference between a count and its rows does not depend on concurrent writers, which
/// change both or neither, so that difference can be added later.
@NullMarked
package dev.torg.offers.dashboard;

import org.jspecify.annotations.NullMarked;
