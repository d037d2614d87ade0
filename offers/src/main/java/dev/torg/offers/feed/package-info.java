/// Feeds: a seller's offers in bulk.
///
/// An upload belongs to a task, whose number grows with each feed of a seller. Its items are read one by
/// one (`read`), dealt to a few lanes by their external id, and written in chunks
/// ([dev.torg.offers.feed.FeedChunkWriter]): one transaction of some hundreds of items that looks up what is
/// known of them, decides each in memory ([dev.torg.offers.feed.FeedItemAction]), writes the offers as every
/// other command does, and the marks and counts with them. Items of one id go through one lane, so the
/// last of them wins.
///
/// `feed_item` knows the offer of each external id, the task that named it last, and a hash of what was
/// said: an item that says the same again costs one short write and no look at its offer's body. When a
/// task is complete, offers whose mark is older are removed, a page at a time; the task is finished when
/// none is left ([dev.torg.offers.feed.FinishFeed]).
///
/// Everything is safe to repeat: a chunk commits with its counts or not at all, so an upload that was
/// cut off is uploaded again under the same number, and a removal that was cut off is completed by a
/// job.
///
/// The order of locks: feed_seller, feed_item, then all that an offer's change locks, feed_error,
/// feed_task.
@NullMarked
package dev.torg.offers.feed;

import org.jspecify.annotations.NullMarked;
