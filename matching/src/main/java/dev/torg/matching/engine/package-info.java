/// The matching engine: millions of standing queries in memory, and for an offer those that it satisfies.
///
/// **Idea.** A query is filed under one *access predicate*: a conjunction of up to three features that every
/// satisfying offer must have (F. Fabret, H.-A. Jacobsen, F. Llirbat, J. Pereira, K. A. Ross, D. Shasha:
/// "Filtering algorithms and implementation for very fast publish/subscribe systems", SIGMOD 2001). Of the
/// valid keys [AccessKeys] takes the one that the fewest offers are expected to have, by the frequencies in
/// [Observations]: a count-min sketch ([Sketch]; G. Cormode, S. Muthukrishnan, 2005). Lucene Monitor's
/// presearcher does the same with single terms and without counts of past documents.
///
/// **Structure.** Queries live in segments. The [Base] is immutable but for its removal bits: a [Vocabulary] of
/// features, a [KeyTable] from keys to ranges of postings, postings with a 16-byte [Signature] each, and
/// [Records] with a compiled [Program] for each query. The [Delta] takes new queries. A merge freezes the
/// delta, builds a new base from both ([BaseBuilder]) and chooses every key again by current frequencies.
/// [Snapshot] writes the segments to a file.
///
/// **A match** ([Probe]) runs on each segment: resolve the offer's features to numbers; look up the keys that
/// can be formed of them; scan the postings of each, rejecting most by their signature; evaluate the programs
/// of the remaining candidates exactly. A hash collision costs a wasted probe, never a wrong result.
///
/// **Concurrency.** Readers take no lock: they load one [Engine.State] and see all writes that returned before.
/// Writers queue behind one lock; a merge runs in the background and holds it only to freeze the delta and to
/// publish the new base, to which removals during the merge are applied again. Statistics are updated by
/// matching itself from a sample, without waiting.
///
/// **Cost.** An offer pays for its features and the postings of its keys, not for the number of queries; steady
/// matching allocates only its result. A query takes some hundred bytes of primitive arrays, without an object
/// of its own. A merge needs memory for a second base while it runs. Figures are in `docs/performance.md`, the
/// design in `docs/matching.md` and `docs/decisions/matching-*.md`.
@NullMarked
package dev.torg.matching.engine;

import org.jspecify.annotations.NullMarked;
