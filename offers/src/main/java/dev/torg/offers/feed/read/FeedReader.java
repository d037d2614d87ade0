package dev.torg.offers.feed.read;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads a feed, one item after the other.
@FunctionalInterface
public interface FeedReader {
  /// The next one, or null at the end. An [IOException] is the way here, not the feed.
  @Nullable Entry next() throws IOException, BrokenFeed;
}
