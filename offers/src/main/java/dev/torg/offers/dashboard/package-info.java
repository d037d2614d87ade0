/// The seller dashboard: presets (lists of a seller's offers by state), their counts, and the counters
/// of sales.
///
/// Rows and counts change in the transaction that changes the offer, so a count always equals the number of
/// its rows, and reading a page or a count costs the same at any size. A repair does not block writers:
/// within one snapshot the difference between a count and its rows does not depend on concurrent writers,
/// which change both or neither, so that difference can be added later.
@NullMarked
package dev.torg.offers.dashboard;

import org.jspecify.annotations.NullMarked;
