/// From an offer's change to the people who care, exactly once each.
///
/// The path: an event of `torg.offers` is matched against all searches and the seller's followers
/// (`match`, with the engine's host in `engine`) and becomes one alert per reader with all reasons
/// (`alert`: `torg.alerts`, keyed by the reader), or for a large audience a resumable fan-out
/// (`fanout`: `torg.alerts.bulk`). Many offers of one seller at once are collapsed before (`storm`:
/// `torg.alerts.storm`). The alert is written in the reader's home
/// (`write`): rules asked again, `told` decides, bell or digest, one transaction. Prices rest first
/// (`price`), digests wait for the reader's hour (`digest`), and for new subscriptions the offers
/// activated before they were projected are scanned (`arrive`). `why` explains.
///
/// **Why nobody hears twice.** Everything before the last step may happen twice. The last one is a
/// transaction in one home whose insert into `told` (or, for prices, the hash in the reader's own
/// row) decides; the reader's rules are locked FOR SHARE meanwhile, so nobody unsubscribes, blocks or
/// moves between the decision and its effect.
///
/// **Why nobody is missed.** 'Older' is decided by stored times. Let a rule be older than an offer. If
/// the offer is handled after the rule was projected, its audience holds the reader; if before, the
/// projection has left a request to scan all offers activated since (`arrive`). For searches the engine
/// must know the query too: a process keeps the offers it handled and matches each search that
/// reaches its engine against those handled since the search was announced; a partition's new owner
/// reads 15 minutes again and matches them with the searches of that time.
@NullMarked
package dev.torg.alerts;

import org.jspecify.annotations.NullMarked;
