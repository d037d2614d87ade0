/// The store of every ad, and the room's public face.
///
/// An offer starts as a draft (`draft`), which may be incomplete and may belong to an anonymous
/// person, is checked against its category (`category`), and then lives a life whose every step is
/// written down in one place (`life`). Changes are merged into batches (`store`): one batch locks
/// the main rows it needs, decides every item in Java, and writes offers, the seller's cabinet
/// (`cabinet`), moderation (`moderation`) and events with a handful of statements and one commit.
/// Outside processes keep opaque state on an offer (`stage`); what is over moves away (`archive`).
///
/// The main row holds the offer as people see it, the same bytes that a reader gets and an event
/// carries. Every write that changes what is seen locks that row first and raises its version.
@NullMarked
package dev.torg.offers;

import org.jspecify.annotations.NullMarked;
