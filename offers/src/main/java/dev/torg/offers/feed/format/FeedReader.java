package dev.torg.offers.feed.format;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads a feed, one item after the other.
@FunctionalInterface
public interface FeedReader {
  /// The next entry, or null at the end. An [IOException] is a transport error, not an error of the feed.
  @Nullable FeedEntry next() throws IOException, UnreadableFeedException;
}
