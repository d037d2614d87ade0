/// From commands to rows, in batches.
///
/// A batch is one transaction: the main rows of all its commands are locked and read in the order of
/// their keys; every command is decided in Java, several of one offer one after the other; the results
/// are written by a few `unnest` statements. A refused command fails alone. The number of statements does
/// not grow with the batch, and statements without rows (no new offers, no changed presets, no sales)
/// are not sent.
///
/// The side stores that a batch writes (prices, presets, counters, moderation, drafts, photos, archive)
/// are here, beside [OfferStore]. Lock order: docs/data-model.md#lock-order.
@NullMarked
package dev.torg.offers.store;

import org.jspecify.annotations.NullMarked;
