package dev.torg.offers.feed;

import dev.torg.offers.Categories;
import dev.torg.offers.FeedSettings;
import dev.torg.offers.FeedUpload;
import dev.torg.offers.feed.read.Formats;
import dev.torg.offers.life.Terms;
import dev.torg.offers.store.OfferChunks;
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
  private final Formats formats;
  private final FeedJobs jobs;
  private final FeedRpc rpc;

  /// What feeds stand on.
  public record Ground(Database database, Outbox outbox, InstantSource clock, Executor blocking) {}

  public FeedWiring(
      Ground ground,
      Categories categories,
      Terms terms,
      Duration archiveAfter,
      OfferChunks offers,
      FeedSettings settings) {
    Database database = ground.database();
    InstantSource clock = ground.clock();
    Pace pace = new Pace(database, ground.outbox(), clock);
    FinishFeed finish = new FinishFeed(database, offers, pace, settings.removalPercent(), clock);
    WriteChunk writer = new WriteChunk(database, offers, terms, archiveAfter, clock);
    service = new FeedService(database, writer, finish, pace, settings, clock, ground.blocking());
    formats =
        new Formats(categories, settings.categories(), settings.maxDuration(), System::nanoTime);
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
  public Task upload(Caller caller, FeedUpload feed, InputStream file) {
    return service.upload(caller, feed, formats.open(feed, file));
  }
}
