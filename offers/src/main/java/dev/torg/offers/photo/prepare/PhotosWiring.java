package dev.torg.offers.photo.prepare;

import dev.torg.offers.photo.PhotoSettings;
import dev.torg.offers.photo.fetch.FetchPhoto;
import dev.torg.offers.photo.image.MakeSizes;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.outbox.Outbox;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/// Everything that prepares photos, put together: the consumers of requests and their jobs.
public final class PhotosWiring implements AutoCloseable {
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);
  private static final Duration HOURLY = Duration.ofHours(1);

  private final FetchPhoto fetch;
  private final MakeSizes sizes;
  private final PhotoBlobStore blobs;
  private final PhotoRequestsConsumer prepare;
  private final PhotoRequestsConsumer prepareBulk;
  private final RetryPhotosJob retry;
  private final PurgeRemovedPhotosJob removed;
  private final BackfillPhotoOwnersJob owners;

  public PhotosWiring(
      Database database,
      Outbox outbox,
      PhotoBlobStore blobs,
      PhotoSettings settings,
      InstantSource clock,
      MeterRegistry registry,
      ExecutorService waiting) {
    this.blobs = blobs;
    this.fetch = new FetchPhoto(settings.fetch(), settings.names(), settings.trustedHosts());
    this.sizes = new MakeSizes(settings.atOnce());
    this.retry = new RetryPhotosJob(database, outbox);
    this.removed = new PurgeRemovedPhotosJob(database);
    this.owners = new BackfillPhotoOwnersJob(database);
    ContentReferenceStore uses = new ContentReferenceStore(database, blobs);
    PhotoMetrics meters = new PhotoMetrics(registry);
    Semaphore left = new Semaphore(PhotoRequestsConsumer.MAX_DETACHED_FETCHES);
    Function<PhotoProcessor.Means, PhotoRequestsConsumer> preparing =
        means ->
            new PhotoRequestsConsumer(
                database,
                outbox,
                new PhotoProcessor(means, blobs, uses, clock),
                blobs,
                uses,
                new PhotoAnswerEvents(settings.baseUrl()),
                settings.pauses(),
                settings.fetch().queueTimeout(),
                clock,
                meters,
                left,
                waiting);
    this.prepare = preparing.apply(new PhotoProcessor.Means(fetch::fetch, sizes::of));
    this.prepareBulk =
        preparing.apply(new PhotoProcessor.Means(fetch::inBackground, sizes::inBackground));
  }

  public static ConsumerSpec spec() {
    return spec("offers.photos.requests", PhotoPartStore.TOPIC);
  }

  public EventHandler handler() {
    return prepare;
  }

  public static ConsumerSpec bulkSpec() {
    return spec("offers.photos.requests.bulk", PhotoPartStore.BULK);
  }

  public EventHandler bulkHandler() {
    return prepareBulk;
  }

  private static ConsumerSpec spec(String name, String topic) {
    return ConsumerSpec.of(name, topic).withBatch(PhotoRequestsConsumer.BATCH);
  }

  public void schedule(JobScheduler jobs) {
    jobs.every(
        RETRY_INTERVAL, "photos.retry", retry::due, (lease, now) -> retry(lease.homes(), now));
    jobs.every(HOURLY, "photos.uploads", this::sweep);
    jobs.every(HOURLY, "photos.removed", (lease, now) -> removed.run(lease.homes(), now));
    jobs.every(
        RETRY_INTERVAL,
        "photos.owners",
        owners::due,
        (lease, now) -> owners.run(lease.homes(), now));
  }

  /// Sets the owners of photos from before they were kept, in these homes; whether there is more.
  public boolean backfillOwners(List<Home> homes, Instant now) {
    return owners.run(homes, now);
  }

  /// Sends what was put aside in these homes and is due; whether there is more.
  public boolean retry(List<Home> homes, Instant now) {
    return retry.run(homes, now);
  }

  /// Once for all homes.
  private boolean sweep(Lease lease, Instant now) {
    if (lease.group() == 0) {
      blobs.sweepUploads(now);
    }
    return false;
  }

  @Override
  public void close() {
    sizes.close();
    try {
      fetch.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
