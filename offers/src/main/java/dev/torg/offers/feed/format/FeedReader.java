package dev.torg.offers.feed.format;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads a feed, one item after the other.
@FunctionalInterface
public interface FeedReader {
  /// The next one, or null at the end. An [IOException] is the way here, not the feed.
  @Nullable FeedEntry next() throws IOException, UnreadableFeedException;
}
