package dev.torg.offers.wiring;

import dev.torg.offers.category.Categories;
import dev.torg.offers.feed.CompleteFeedRemovalsJob;
import dev.torg.offers.feed.FeedChunkWriter;
import dev.torg.offers.feed.FeedFileUploads;
import dev.torg.offers.feed.FeedRpc;
import dev.torg.offers.feed.FeedService;
import dev.torg.offers.feed.FeedSettings;
import dev.torg.offers.feed.FeedThrottle;
import dev.torg.offers.feed.FinishFeed;
import dev.torg.offers.feed.PurgeFeedHistoryJob;
import dev.torg.offers.feed.format.FeedReaderFactory;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.store.OfferBatchWriter;
import dev.torg.platform.db.Database;
import dev.torg.platform.module.ModuleContext;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/// Builds the objects of feeds.
public final class FeedWiring {
  private final FeedService service;
  private final FeedFileUploads files;
  private final CompleteFeedRemovalsJob removals;
  private final PurgeFeedHistoryJob purge;
  private final FeedRpc rpc;

  public FeedWiring(
      ModuleContext context,
      Executor blocking,
      Categories categories,
      PublishingTerms terms,
      Duration archiveAfter,
      OfferBatchWriter offers,
      FeedSettings settings) {
    Database database = context.database();
    InstantSource clock = context.clock();
    FeedThrottle throttle =
        new FeedThrottle(database, context.outbox(), clock, settings.maxCpuLoad());
    FinishFeed finish =
        new FinishFeed(
            database, offers, throttle, context.outbox(), settings.removalPercent(), clock);
    FeedChunkWriter writer =
        new FeedChunkWriter(database, offers, context.outbox(), terms, archiveAfter, clock);
    service =
        new FeedService(
            database, writer, finish, throttle, context.outbox(), settings, clock, blocking);
    FeedReaderFactory formats =
        new FeedReaderFactory(
            categories, settings.categories(), settings.maxDuration(), System::nanoTime);
    files = new FeedFileUploads(service, formats);
    removals = new CompleteFeedRemovalsJob(database, finish);
    purge = new PurgeFeedHistoryJob(database);
    rpc = new FeedRpc(service, formats, blocking);
  }

  public FeedService service() {
    return service;
  }

  public FeedRpc rpc() {
    return rpc;
  }

  public FeedFileUploads files() {
    return files;
  }

  public CompleteFeedRemovalsJob removals() {
    return removals;
  }

  public PurgeFeedHistoryJob purge() {
    return purge;
  }
}
