/// Owns offers: drafts, publication, moderation, feeds, the photos of offers, imports and the archive.
///
/// The root package is what other modules use ([Offers], [Feeds], [PhotoFiles], [OfferTopics]), together
/// with `category`, whose tree of categories is public. Everything else is internal; `wiring` builds it.
///
/// An offer starts as a draft (`draft`), which may be incomplete and may belong to an anonymous user, is
/// validated against its category (`category`), and then changes only by the commands of `lifecycle`, which
/// are pure functions from the current state to a decision. Commands come from gRPC (`offer`, `photo`,
/// `moderation`), from topics (`photo` consumes the answers of module `photos`, `moderation` the opinions
/// of external moderators), from feeds (`feed`: a seller's whole stock as NDJSON, CSV or YML; offers that a
/// complete feed no longer names are removed), from operators (`imports`: offers of another system, without
/// notifications) and from jobs (`archive`).
///
/// `store` writes commands in batches: one batch locks the main rows it needs, decides every command in
/// Java, and writes offers, presets, counters, moderation, photos and events with a few statements and one
/// commit. The seller's lists and counts (`dashboard`) are updated in the same transactions. External
/// processes store opaque state on an offer (`stage`).
///
/// The main row contains the offer as users see it, the same bytes that readers and events contain. Every
/// write that changes it locks that row first and increments its version.
@NullMarked
package dev.torg.offers;

import org.jspecify.annotations.NullMarked;
