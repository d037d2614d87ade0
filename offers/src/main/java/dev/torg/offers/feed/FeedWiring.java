package dev.torg.offers.feed;

import dev.torg.offers.Categories;
import dev.torg.offers.FeedSettings;
import dev.torg.offers.FeedUploadRequest;
import dev.torg.offers.feed.format.FeedReaderFactory;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.store.OfferBatchWriter;
import dev.torg.platform.Caller;
import dev.torg.platform.db.Database;
import dev.torg.platform.outbox.Outbox;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/// Puts feeds together.
public final class FeedWiring {
  private final FeedService service;
  private final FeedReaderFactory formats;
  private final FeedJobs jobs;
  private final FeedRpc rpc;

  /// What feeds stand on.
  public record Context(Database database, Outbox outbox, InstantSource clock, Executor blocking) {}

  public FeedWiring(
      Context ground,
      Categories categories,
      PublishingTerms terms,
      Duration archiveAfter,
      OfferBatchWriter offers,
      FeedSettings settings) {
    Database database = ground.database();
    InstantSource clock = ground.clock();
    FeedThrottle pace = new FeedThrottle(database, ground.outbox(), clock);
    FinishFeed finish = new FinishFeed(database, offers, pace, settings.removalPercent(), clock);
    FeedChunkWriter writer = new FeedChunkWriter(database, offers, terms, archiveAfter, clock);
    service = new FeedService(database, writer, finish, pace, settings, clock, ground.blocking());
    formats =
        new FeedReaderFactory(
            categories, settings.categories(), settings.maxDuration(), System::nanoTime);
    jobs = new FeedJobs(database, finish);
    rpc = new FeedRpc(service, formats, ground.blocking());
  }

  public FeedService service() {
    return service;
  }

  public FeedRpc rpc() {
    return rpc;
  }

  public FeedJobs jobs() {
    return jobs;
  }

  /// Takes a file. Blocks for as long as its sender takes.
  public StoredFeedTask upload(Caller caller, FeedUploadRequest feed, InputStream file) {
    return service.upload(caller, feed, formats.open(feed, file));
  }
}
