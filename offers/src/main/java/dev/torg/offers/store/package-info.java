/// Writes commands to the database in batches.
///
/// A batch is one transaction: the main rows of all its commands are locked and read in key order; every
/// command is decided in Java, several commands on one offer in sequence; the results are written by a few
/// `unnest` statements. A refused command does not affect the others. The number of statements does not
/// depend on the size of the batch, and statements without rows (no new offers, no changed presets, no
/// sales) are not sent.
///
/// The package also contains the stores of the other tables that a batch writes: prices, presets, counters,
/// moderation, drafts, photos, archive. Lock order: docs/data-model.md#lock-order.
@NullMarked
package dev.torg.offers.store;

import org.jspecify.annotations.NullMarked;
