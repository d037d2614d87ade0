package dev.torg.offers;

import dev.torg.api.v1.FeedTask;
import dev.torg.offers.feed.FeedRpc;
import dev.torg.offers.feed.FeedWiring;
import dev.torg.platform.Caller;
import java.io.InputStream;

/// Files of offers in bulk, for whoever serves them over plain HTTP.
public final class Feeds {
  private final FeedWiring feeds;

  public Feeds(FeedWiring feeds) {
    this.feeds = feeds;
  }

  /// Reads the file to its end and answers with the task then. Blocks for as long as its sender takes.
  public FeedTask upload(Caller caller, FeedUploadRequest feed, InputStream file) {
    return FeedRpc.encode(feeds.upload(caller, feed, file));
  }

  /// The seller of an address: `me` stands for the caller.
  public static String seller(String given, Caller caller) {
    return FeedRpc.seller(given, caller);
  }
}
