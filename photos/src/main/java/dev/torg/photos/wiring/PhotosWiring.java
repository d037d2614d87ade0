package dev.torg.photos.wiring;

import dev.torg.photos.PhotoImages;
import dev.torg.photos.PhotoLane;
import dev.torg.photos.PhotoOwnerLookup;
import dev.torg.photos.PhotoSettings;
import dev.torg.photos.PhotoTopics;
import dev.torg.photos.PhotoUploadStore;
import dev.torg.photos.fetch.FetchPhoto;
import dev.torg.photos.image.MakeSizes;
import dev.torg.photos.prepare.BackfillPhotoOwnersJob;
import dev.torg.photos.prepare.ContentReferenceStore;
import dev.torg.photos.prepare.PhotoBlobStore;
import dev.torg.photos.prepare.PhotoContentLookup;
import dev.torg.photos.prepare.PhotoMetrics;
import dev.torg.photos.prepare.PhotoOutcomeWriter;
import dev.torg.photos.prepare.PhotoProcessor;
import dev.torg.photos.prepare.PhotoRequestsConsumer;
import dev.torg.photos.prepare.PhotoVisibility;
import dev.torg.photos.prepare.PreparedPhotoImages;
import dev.torg.photos.prepare.PurgeRemovedPhotosJob;
import dev.torg.photos.prepare.RetryPhotosJob;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.module.ModuleContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// Builds the module. Its tables are created by the migrations in `db/offers`.
public final class PhotosWiring implements AutoCloseable {
  /// The topics that this module writes and reads.
  public static final List<TopicSpec> TOPICS =
      List.of(
          new TopicSpec(PhotoTopics.REQUESTS, Duration.ofDays(7)),
          new TopicSpec(PhotoTopics.BULK_REQUESTS, Duration.ofDays(7)),
          new TopicSpec(PhotoTopics.ANSWERS, Duration.ofDays(7)));

  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);
  private static final Duration BACKFILL_INTERVAL = Duration.ofSeconds(5);
  private static final Duration PURGE_INTERVAL = Duration.ofHours(1);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final FetchPhoto fetch;
  private final MakeSizes sizes;
  private final PhotoBlobStore blobs;
  private final PhotoImages images;
  private final List<ConsumerBinding> consumers;
  private final RetryPhotosJob retry;
  private final PurgeRemovedPhotosJob purge;
  private final BackfillPhotoOwnersJob owners;

  /// @param offers looks up the offers that show photos
  public PhotosWiring(ModuleContext context, PhotoOwnerLookup offers, PhotoSettings settings) {
    Database database = context.database();
    InstantSource clock = context.clock();
    blobs = PhotoBlobStore.open(settings.store());
    fetch = new FetchPhoto(settings.fetch(), settings.names(), settings.trustedHosts());
    sizes = new MakeSizes(settings.threads());
    images =
        new PreparedPhotoImages(
            new PhotoContentLookup(database, blobs), new PhotoVisibility(database, offers, clock));
    ContentReferenceStore references = new ContentReferenceStore(database, blobs);
    PhotoProcessor processor = new PhotoProcessor(fetch, sizes, blobs, references, clock);
    PhotoOutcomeWriter outcomes =
        new PhotoOutcomeWriter(
            database, context.outbox(), blobs, references, settings.baseUrl(), clock);
    PhotoMetrics metrics = new PhotoMetrics(context.metrics());
    Semaphore detached = new Semaphore(PhotoRequestsConsumer.MAX_DETACHED_FETCHES);
    consumers =
        List.of(PhotoLane.values()).stream()
            .map(
                lane ->
                    new ConsumerBinding(
                        spec(lane),
                        new PhotoRequestsConsumer(
                            lane, processor, outcomes, settings, metrics, detached, threads)))
            .toList();
    retry = new RetryPhotosJob(database, context.outbox());
    purge = new PurgeRemovedPhotosJob(database);
    owners = new BackfillPhotoOwnersJob(database, offers);
  }

  private static ConsumerSpec spec(PhotoLane lane) {
    String group =
        switch (lane) {
          case INTERACTIVE -> "offers.photos.requests";
          case BULK -> "offers.photos.requests.bulk";
        };
    return ConsumerSpec.of(group, lane.topic()).withBatch(PhotoRequestsConsumer.BATCH);
  }

  public PhotoUploadStore uploads() {
    return blobs;
  }

  public PhotoImages images() {
    return images;
  }

  /// The consumers of both lanes. They fetch and decode photos, which needs CPU time and memory.
  public List<ConsumerBinding> consumers() {
    return consumers;
  }

  public void schedule(JobScheduler jobs) {
    jobs.every(
        RETRY_INTERVAL, "photos.retry", retry::due, (lease, now) -> retry(lease.homes(), now));
    jobs.every(PURGE_INTERVAL, "photos.uploads", this::sweepUploads);
    jobs.every(PURGE_INTERVAL, "photos.removed", (lease, now) -> purge.run(lease.homes(), now));
    jobs.every(
        BACKFILL_INTERVAL,
        "photos.owners",
        owners::due,
        (lease, now) -> owners.run(lease.homes(), now));
  }

  /// Sets the owners of photos that were prepared before owners were recorded. Returns whether there is
  /// more to do.
  public boolean backfillOwners(List<Home> homes, Instant now) {
    return owners.run(homes, now);
  }

  /// Sends the due deferred requests of these homes. Returns whether there are more.
  public boolean retry(List<Home> homes, Instant now) {
    return retry.run(homes, now);
  }

  /// Runs once for all homes.
  private boolean sweepUploads(Lease lease, Instant now) {
    if (lease.group() == 0) {
      blobs.sweepUploads(now);
    }
    return false;
  }

  @Override
  public void close() {
    threads.close();
    sizes.close();
    try {
      fetch.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    blobs.close();
  }
}
