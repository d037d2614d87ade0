/// The notification center. Its first channel is the bell.
///
/// Other modules write to bells through [Bell][dev.torg.notifications.Bell], in their own transaction in the
/// recipient's home: their changes and the notification commit together. Each recipient has one row in the
/// table `bell`. Every transaction that changes a recipient's notifications locks this row first and raises
/// its `seq`. This gives exact unread counts, ids that ascend in commit order, and a lossless stream
/// ([BellStreamService][dev.torg.notifications.BellStreamService]): a client has not received exactly the
/// entries whose `seq` is greater than that of its last event.
///
/// The bell always receives the entry; a person's settings govern the other channels
/// ([RecipientSettings][dev.torg.notifications.RecipientSettings]). Entries leave the bell when they expire, when they
/// are withdrawn, and by age.
///
/// This package holds the interfaces and records that other modules use. Implementations: `bell` (entries and
/// counts), `stream` (event streams), `settings`, `delivery` (what settings allow on other channels), `operation` (the
/// queue of deliveries), `dispatch` (its processing), `channel` (sending on them), `sending` (notifications of other
/// services) with `content` and `template`, `campaign`, `devices` and `contacts` (where people are reached), `targets`
/// (both of them, for delivery), `unsubscribe` (signed links), `merge` (login merge,
/// [BellMerge][dev.torg.notifications.BellMerge]), `rpc` (gRPC), `wiring`.
@NullMarked
package dev.torg.notifications;

import org.jspecify.annotations.NullMarked;
