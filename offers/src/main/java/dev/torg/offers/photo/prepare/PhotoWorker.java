package dev.torg.offers.photo.prepare;

import dev.torg.offers.photo.PhotoRequests;
import dev.torg.offers.photo.PhotoSettings;
import dev.torg.offers.photo.fetch.FetchPhoto;
import dev.torg.offers.photo.image.MakeSizes;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.lease.Jobs;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.topics.ConsumerSpec;
import dev.torg.platform.topics.EventHandler;
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
public final class PhotoWorker implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration HOURLY = Duration.ofHours(1);

  private final FetchPhoto fetch;
  private final MakeSizes sizes;
  private final PhotoBlobs blobs;
  private final PreparePhotos prepare;
  private final PreparePhotos prepareBulk;
  private final RetryPhotos retry;
  private final ForgetRemoved removed;
  private final BackfillPhotoOwnersJob owners;

  public PhotoWorker(
      Database database,
      Outbox outbox,
      PhotoBlobs blobs,
      PhotoSettings settings,
      InstantSource clock,
      MeterRegistry registry,
      ExecutorService waiting) {
    this.blobs = blobs;
    this.fetch = new FetchPhoto(settings.fetch(), settings.names(), settings.trustedHosts());
    this.sizes = new MakeSizes(settings.atOnce());
    this.retry = new RetryPhotos(database, outbox);
    this.removed = new ForgetRemoved(database);
    this.owners = new BackfillPhotoOwnersJob(database);
    ContentUses uses = new ContentUses(database, blobs);
    PhotoMeters meters = new PhotoMeters(registry);
    Semaphore left = new Semaphore(PreparePhotos.MOST_LEFT);
    Function<MakePhoto.Means, PreparePhotos> preparing =
        means ->
            new PreparePhotos(
                database,
                outbox,
                new MakePhoto(means, blobs, uses, clock),
                blobs,
                uses,
                new Answers(settings.baseUrl()),
                settings.pauses(),
                settings.fetch().patience(),
                clock,
                meters,
                left,
                waiting);
    this.prepare = preparing.apply(new MakePhoto.Means(fetch::fetch, sizes::of));
    this.prepareBulk =
        preparing.apply(new MakePhoto.Means(fetch::inBackground, sizes::inBackground));
  }

  public static ConsumerSpec spec() {
    return spec("offers.photos.requests", PhotoRequests.TOPIC);
  }

  public EventHandler handler() {
    return prepare;
  }

  public static ConsumerSpec bulkSpec() {
    return spec("offers.photos.requests.bulk", PhotoRequests.BULK);
  }

  public EventHandler bulkHandler() {
    return prepareBulk;
  }

  private static ConsumerSpec spec(String name, String topic) {
    return ConsumerSpec.of(name, topic).withBatch(PreparePhotos.BATCH);
  }

  public void schedule(Jobs jobs) {
    jobs.every(SOON, "photos.retry", retry::due, (lease, now) -> retry(lease.homes(), now));
    jobs.every(HOURLY, "photos.uploads", this::sweep);
    jobs.every(HOURLY, "photos.removed", (lease, now) -> removed.run(lease.homes(), now));
    jobs.every(SOON, "photos.owners", owners::due, (lease, now) -> owners.run(lease.homes(), now));
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
