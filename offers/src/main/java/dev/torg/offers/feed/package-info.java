/// Feeds: a seller's offers in bulk.
///
/// An upload belongs to a task, whose number grows with each feed of a seller. Its items are read one by
/// one (`format`), distributed to a few lanes by their external id, and written in chunks
/// ([FeedChunkWriter]): one transaction of some hundreds of items that reads their rows, decides each item
/// in memory ([FeedItemAction]), writes the offers as every other command does, and writes marks and
/// counts with them. Items of one id go through one lane, so the last of them wins.
///
/// `feed_item` holds the offer of each external id, the task that named it last, and a hash of its
/// content: an unchanged item costs one short write and its offer's body is not read. When a task is
/// complete, offers whose mark is older are removed, a page at a time; the task is finished when none is
/// left ([FinishFeed]).
///
/// Every step can be repeated: a chunk commits with its counts or not at all, so an interrupted upload is
/// sent again under the same number, and an interrupted removal is completed by
/// [CompleteFeedRemovalsJob]. Lock order: docs/data-model.md#lock-order.
@NullMarked
package dev.torg.offers.feed;

import org.jspecify.annotations.NullMarked;
