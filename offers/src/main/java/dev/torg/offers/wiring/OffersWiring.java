package dev.torg.offers.wiring;

import dev.torg.offers.Categories;
import dev.torg.offers.FeedSettings;
import dev.torg.offers.Feeds;
import dev.torg.offers.OfferSettings;
import dev.torg.offers.Offers;
import dev.torg.offers.PhotoFiles;
import dev.torg.offers.archive.TimeJobs;
import dev.torg.offers.category.CategoryRpc;
import dev.torg.offers.category.OfferValidator;
import dev.torg.offers.dashboard.CabinetRpc;
import dev.torg.offers.dashboard.PresetRepairService;
import dev.torg.offers.dashboard.SellerDashboardService;
import dev.torg.offers.draft.DraftJobs;
import dev.torg.offers.draft.DraftPhotos;
import dev.torg.offers.draft.DraftRpc;
import dev.torg.offers.draft.DraftService;
import dev.torg.offers.feed.FeedPhotoFailureCounter;
import dev.torg.offers.feed.FeedWiring;
import dev.torg.offers.imports.ImportRpc;
import dev.torg.offers.imports.ImportService;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.moderation.ModerationOpinionsConsumer;
import dev.torg.offers.moderation.ModerationQueueService;
import dev.torg.offers.moderation.ModerationRpc;
import dev.torg.offers.moderation.ModerationService;
import dev.torg.offers.offer.OfferRpc;
import dev.torg.offers.offer.OfferService;
import dev.torg.offers.photo.PhotoAnswersConsumer;
import dev.torg.offers.photo.PhotoRpc;
import dev.torg.offers.photo.PhotoService;
import dev.torg.offers.photo.prepare.PhotoBlobStore;
import dev.torg.offers.photo.prepare.PhotoContentLookup;
import dev.torg.offers.photo.prepare.PhotoVisibility;
import dev.torg.offers.photo.prepare.PhotosWiring;
import dev.torg.offers.stage.StageService;
import dev.torg.offers.store.ActiveScan;
import dev.torg.offers.store.OfferBatchWriter;
import dev.torg.offers.store.OfferQueries;
import dev.torg.offers.store.OfferReader;
import dev.torg.offers.store.OfferWriter;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.offers.store.PresetRowRepair;
import dev.torg.platform.Caller;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.platform.outbox.Outbox;
import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/// Puts the room together. Its tables are in `db/offers` and need the platform's.
public final class OffersWiring implements AutoCloseable {
  /// The room's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "offers";

  /// The topics that this room writes and reads.
  public static final List<TopicSpec> TOPICS =
      List.of(
          new TopicSpec(OfferWriter.TOPIC, Duration.ofDays(7)),
          new TopicSpec(ModerationOpinionsConsumer.TOPIC, Duration.ofDays(7)),
          new TopicSpec(PhotoPartStore.TOPIC, Duration.ofDays(7)),
          new TopicSpec(PhotoPartStore.BULK, Duration.ofDays(7)),
          new TopicSpec(PhotoAnswersConsumer.TOPIC, Duration.ofDays(7)));

  private static final Duration EXPIRY_INTERVAL = Duration.ofSeconds(10);
  private static final Duration ARCHIVE_INTERVAL = Duration.ofMinutes(10);

  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final Database database;
  final OfferWriter writer;
  private final OfferReader reader;
  private final PhotoPartStore photoRequests;
  private final Offers offersApi;
  final OfferService offers;
  final StageService stages;
  final DraftService drafts;
  final SellerDashboardService dashboard;
  final PresetRepairService repair;
  final ModerationService moderation;
  final ModerationQueueService queue;
  final TimeJobs time;
  final PhotoService photos;
  private final DraftPhotos draftPhotos;
  private final PhotoBlobStore photoBlobs;
  final PhotosWiring photoWorker;
  private final PhotoFiles photoFiles;
  private final PhotoAnswersConsumer answers;
  final FeedWiring feeds;
  private final List<BindableService> services;

  /// What the room stands on. The function verifies a token and says whose it is.
  public record Context(
      Database database,
      Outbox outbox,
      Function<String, Caller> tokens,
      InstantSource clock,
      MeterRegistry registry) {}

  /// A consumer for the platform's loop.
  public record ConsumerBinding(ConsumerSpec spec, EventHandler handler) {}

  public OffersWiring(Context ground, Categories categories, OfferSettings settings) {
    this(ground, categories, settings, FeedSettings.defaults());
  }

  public OffersWiring(
      Context ground, Categories categories, OfferSettings settings, FeedSettings feedSettings) {
    database = ground.database();
    InstantSource clock = ground.clock();
    OfferValidator rules = new OfferValidator(categories);
    PublishingTerms terms = new PublishingTerms(rules, settings.lifetime());
    writer = writer(ground, settings);
    reader = reader(ground, settings);
    offersApi = new OfferQueries(reader, new ActiveScan(database), categories, clock);
    offers = new OfferService(writer, reader, terms, clock, blocking);
    stages = new StageService(database, ground.outbox(), clock, blocking);
    photoRequests = new PhotoPartStore(ground.outbox());
    drafts = new DraftService(database, rules, photoRequests, clock, blocking);
    dashboard = new SellerDashboardService(database, reader, clock, blocking);
    repair = new PresetRepairService(database, new PresetRowRepair(database)::run, blocking);
    moderation = new ModerationService(writer, reader, database, terms, clock, blocking);
    queue = new ModerationQueueService(reader, database, settings.claimFor(), clock, blocking);
    time = new TimeJobs(database, writer::apply);
    draftPhotos = new DraftPhotos(database, photoRequests, clock, blocking);
    photoBlobs = PhotoBlobStore.open(settings.photos().store());
    photos = new PhotoService(writer, reader, draftPhotos, photoBlobs, terms, clock, blocking);
    photoWorker = photoWorker(ground, settings);
    photoFiles =
        new PhotoFiles(
            photos,
            new PhotoContentLookup(database, photoBlobs),
            new PhotoVisibility(database, clock));
    answers = new PhotoAnswersConsumer(writer, draftPhotos, terms, clock);
    feeds =
        new FeedWiring(
            new FeedWiring.Context(database, ground.outbox(), clock, blocking),
            categories,
            terms,
            settings.archiveAfter(),
            new OfferBatchWriter(
                ground.outbox(), new FeedPhotoFailureCounter(), settings.archiveAfter()),
            feedSettings);
    services =
        List.of(
            new OfferRpc(offers, stages),
            new DraftRpc(drafts, offers, ground.tokens()),
            new CabinetRpc(dashboard, repair),
            new ModerationRpc(moderation, queue),
            new CategoryRpc(categories),
            new PhotoRpc(photos),
            feeds.rpc(),
            new ImportRpc(new ImportService(writer, terms, clock)));
  }

  public List<BindableService> services() {
    return services;
  }

  public Offers offers() {
    return offersApi;
  }

  public PhotoFiles photos() {
    return photoFiles;
  }

  public Feeds feeds() {
    return new Feeds(feeds);
  }

  public List<ConsumerBinding> consumers() {
    return List.of(
        new ConsumerBinding(ConsumerSpec.of("offers.photos", PhotoAnswersConsumer.TOPIC), answers),
        new ConsumerBinding(
            ConsumerSpec.of("offers.moderation", ModerationOpinionsConsumer.TOPIC)
                .withBatch(ModerationOpinionsConsumer.BATCH),
            new ModerationOpinionsConsumer(moderation)));
  }

  public void schedule(JobScheduler jobs) {
    DraftJobs draftJobs = new DraftJobs(database, photoRequests);
    jobs.every(EXPIRY_INTERVAL, "offers.expire", time::dueToExpire, time::expire);
    jobs.every(ARCHIVE_INTERVAL, "offers.archive", time::archive);
    jobs.every(
        EXPIRY_INTERVAL, "drafts.takeovers", draftJobs::stalled, draftJobs::completeTakeovers);
    jobs.every(ARCHIVE_INTERVAL, "drafts.idle", draftJobs::eraseIdle);
    jobs.every(
        EXPIRY_INTERVAL, "feeds.remove", feeds.jobs()::stalled, feeds.jobs()::completeRemovals);
    jobs.every(ARCHIVE_INTERVAL, "feeds.forget", feeds.jobs()::purgeHistory);
  }

  /// Fetches and makes photos, which takes processors and memory.
  public List<ConsumerBinding> photoConsumers() {
    return List.of(
        new ConsumerBinding(PhotosWiring.spec(), photoWorker.handler()),
        new ConsumerBinding(PhotosWiring.bulkSpec(), photoWorker.bulkHandler()));
  }

  public void schedulePhotos(JobScheduler jobs) {
    photoWorker.schedule(jobs);
  }

  /// Answers what was taken in; nothing may be asked any more.
  @Override
  public void close() {
    writer.close();
    reader.close();
    blocking.close();
    photoWorker.close();
    photoBlobs.close();
  }

  private PhotosWiring photoWorker(Context ground, OfferSettings settings) {
    return new PhotosWiring(
        ground.database(),
        ground.outbox(),
        photoBlobs,
        settings.photos(),
        ground.clock(),
        ground.registry(),
        blocking);
  }

  private static OfferWriter writer(Context ground, OfferSettings settings) {
    return new OfferWriter(
        ground.database(),
        CoalescerSettings.of("offers.write", ground.database(), settings.writers()),
        ground.outbox(),
        new FeedPhotoFailureCounter(),
        settings.archiveAfter(),
        ground.registry());
  }

  private static OfferReader reader(Context ground, OfferSettings settings) {
    return new OfferReader(
        ground.database(),
        CoalescerSettings.of("offers.read", ground.database(), settings.readers()),
        ground.registry());
  }
}
