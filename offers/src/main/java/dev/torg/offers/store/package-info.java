/// From commands to rows, many at once.
///
/// A batch is one transaction: the main rows of all its commands are locked and read in the order of
/// their keys; every command is decided in Java, several of one offer one after the other; what
/// came out is written by a handful of `unnest` statements. A command that is refused is refused
/// alone. The number of statements does not grow with the batch, and those for things that did not
/// happen (no new offers, no changed presets, no sales) are not sent.
///
/// The order of locks: drafts, offers, presets, counts, counters, the moderators' queue.
@NullMarked
package dev.torg.offers.store;

import org.jspecify.annotations.NullMarked;
