package dev.torg.offers.feed;

import dev.torg.api.v1.FeedTask;
import dev.torg.offers.FeedUploadRequest;
import dev.torg.offers.Feeds;
import dev.torg.offers.feed.format.FeedReaderFactory;
import dev.torg.platform.Caller;
import java.io.InputStream;

/// Accepts feeds as files.
public record FeedFileUploads(FeedService service, FeedReaderFactory formats) implements Feeds {
  @Override
  public FeedTask upload(Caller caller, FeedUploadRequest feed, InputStream file) {
    return FeedRpc.encode(store(caller, feed, file));
  }

  /// As [#upload], but returns the stored task.
  public StoredFeedTask store(Caller caller, FeedUploadRequest feed, InputStream file) {
    return service.upload(caller, feed, formats.open(feed, file));
  }
}
