/// Reads items from bytes, one at a time: NDJSON, CSV and YML.
///
/// A reader holds one item and a buffer, whatever the length of the feed. An invalid item becomes a
/// [dev.torg.offers.feed.format.FeedEntry.Invalid] at its position. The feed itself is invalid
/// ([dev.torg.offers.feed.format.UnreadableFeedException]) only if the beginning of the next item cannot be
/// determined or if the feed ends within an item. Rules of categories are not checked here.
@NullMarked
package dev.torg.offers.feed.format;

import org.jspecify.annotations.NullMarked;
