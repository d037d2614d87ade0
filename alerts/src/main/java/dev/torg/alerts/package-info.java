/// Alerts: from a change of an offer to the bells of interested users, exactly once each.
///
/// The path of a new offer: the event of `torg.offers` is matched against all searches and the seller's followers
/// (`match`, with the replica of the engine in `engine`). It becomes one alert per recipient with all reasons on
/// `torg.alerts` (`event`), or for a large audience a resumable fan-out on `torg.alerts.bulk` (`fanout`). Many offers
/// of one seller at once are collapsed on `torg.alerts.storm` (`storm`). Delivery (`delivery`) runs in the recipient's
/// home, in one transaction: it reads the recipient's rules again, deduplicates, and writes to the bell or the digest.
/// Prices are debounced first (`price`), digests wait for the recipient's hour (`digest`), and offers activated before
/// a subscription was projected are scanned for it (`backfill`). `eligibility` holds the rules that decide who may be
/// notified of what, `text` the texts, `merge` the steps of the login merge; `explain` answers why an offer matched.
///
/// Sellers are notified of what happens to their own offers and feeds (`seller`).
///
/// **At most once.** Every step before delivery may be repeated. Delivery is one transaction per shard, whose insert
/// into `told` (or, for prices, the hash in the recipient's own row) decides. The recipient's rules are locked FOR SHARE
/// meanwhile, so no concurrent transaction unsubscribes, blocks or merges the recipient between the decision and its
/// effect.
///
/// **At least once.** Stored times, not the order of arrival, decide whether a rule is older than an offer. Consider
/// such a rule. If the offer is handled after the rule was projected, its audience contains the recipient. If it is
/// handled before, the projection has requested a scan of all offers activated since the rule was created
/// (`backfill`). For searches the engine must know the query too: a process retains the offers it handled and matches
/// each search that reaches its engine against those handled since the search was announced; the new owner of a
/// partition replays 15 minutes and matches them with the searches of that time.
@NullMarked
package dev.torg.alerts;

import org.jspecify.annotations.NullMarked;
