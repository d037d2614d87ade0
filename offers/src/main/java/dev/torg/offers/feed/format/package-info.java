/// From bytes to items, one at a time: NDJSON, CSV and YML.
///
/// A reader holds one item and a buffer, whatever the length of the feed. What is wrong with an item
/// becomes an [dev.torg.offers.feed.format.FeedEntry.Invalid] in its place; only when it cannot be said where
/// the next item begins, or when the feed ends in the middle of one, is the feed itself broken
/// ([dev.torg.offers.feed.format.UnreadableFeedException]). Whether an item keeps its category's rules is not asked
/// here.
@NullMarked
package dev.torg.offers.feed.format;

import org.jspecify.annotations.NullMarked;
