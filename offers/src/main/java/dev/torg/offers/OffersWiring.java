package dev.torg.offers;

import dev.torg.offers.archive.TimeJobs;
import dev.torg.offers.cabinet.CabinetRpc;
import dev.torg.offers.cabinet.CabinetService;
import dev.torg.offers.cabinet.RepairService;
import dev.torg.offers.category.CategoryRpc;
import dev.torg.offers.category.OfferRules;
import dev.torg.offers.draft.DraftJobs;
import dev.torg.offers.draft.DraftPhotos;
import dev.torg.offers.draft.DraftRpc;
import dev.torg.offers.draft.DraftService;
import dev.torg.offers.feed.FeedPhotos;
import dev.torg.offers.feed.FeedWiring;
import dev.torg.offers.imports.ImportRpc;
import dev.torg.offers.imports.ImportService;
import dev.torg.offers.life.Terms;
import dev.torg.offers.moderation.HearModerators;
import dev.torg.offers.moderation.ModerationRpc;
import dev.torg.offers.moderation.ModerationService;
import dev.torg.offers.moderation.QueueService;
import dev.torg.offers.offer.OfferRpc;
import dev.torg.offers.offer.OfferService;
import dev.torg.offers.photo.PhotoRequests;
import dev.torg.offers.photo.change.HearPhotos;
import dev.torg.offers.photo.change.PhotoRpc;
import dev.torg.offers.photo.change.PhotoService;
import dev.torg.offers.photo.prepare.PhotoBlobs;
import dev.torg.offers.photo.prepare.PhotoImages;
import dev.torg.offers.photo.prepare.PhotoVisibility;
import dev.torg.offers.photo.prepare.PhotoWorker;
import dev.torg.offers.stage.StageService;
import dev.torg.offers.store.ActiveScan;
import dev.torg.offers.store.OfferChunks;
import dev.torg.offers.store.OfferReader;
import dev.torg.offers.store.OfferWriter;
import dev.torg.offers.store.Relist;
import dev.torg.platform.Caller;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.db.Database;
import dev.torg.platform.lease.Jobs;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.topics.ConsumerSpec;
import dev.torg.platform.topics.EventHandler;
import dev.torg.platform.topics.TopicSpec;
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
          new TopicSpec(HearModerators.TOPIC, Duration.ofDays(7)),
          new TopicSpec(PhotoRequests.TOPIC, Duration.ofDays(7)),
          new TopicSpec(PhotoRequests.BULK, Duration.ofDays(7)),
          new TopicSpec(HearPhotos.TOPIC, Duration.ofDays(7)));

  private static final Duration OFTEN = Duration.ofSeconds(10);
  private static final Duration SELDOM = Duration.ofMinutes(10);

  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final Database database;
  final OfferWriter writer;
  private final OfferReader reader;
  private final PhotoRequests photoRequests;
  private final Offers face;
  final OfferService offers;
  final StageService stages;
  final DraftService drafts;
  final CabinetService cabinet;
  final RepairService repair;
  final ModerationService moderation;
  final QueueService queue;
  final TimeJobs time;
  final PhotoService photos;
  private final DraftPhotos draftPhotos;
  private final PhotoBlobs photoBlobs;
  final PhotoWorker photoWorker;
  private final Photos pictures;
  private final HearPhotos answers;
  final FeedWiring feeds;
  private final List<BindableService> services;

  /// What the room stands on. The function verifies a token and says whose it is.
  public record Ground(
      Database database,
      Outbox outbox,
      Function<String, Caller> tokens,
      InstantSource clock,
      MeterRegistry registry) {}

  /// A consumer for the platform's loop.
  public record Consumer(ConsumerSpec spec, EventHandler handler) {}

  public OffersWiring(Ground ground, Categories categories, OfferSettings settings) {
    this(ground, categories, settings, FeedSettings.standard());
  }

  public OffersWiring(
      Ground ground, Categories categories, OfferSettings settings, FeedSettings feedSettings) {
    database = ground.database();
    InstantSource clock = ground.clock();
    OfferRules rules = new OfferRules(categories);
    Terms terms = new Terms(rules, settings.lifetime());
    writer = writer(ground, settings);
    reader = reader(ground, settings);
    face = new Offers(reader, new ActiveScan(database), categories);
    offers = new OfferService(writer, reader, terms, clock, blocking);
    stages = new StageService(database, ground.outbox(), clock, blocking);
    photoRequests = new PhotoRequests(ground.outbox());
    drafts = new DraftService(database, rules, photoRequests, clock, blocking);
    cabinet = new CabinetService(database, reader, blocking);
    repair = new RepairService(database, new Relist(database)::run, blocking);
    moderation = new ModerationService(writer, reader, database, terms, clock, blocking);
    queue = new QueueService(reader, database, settings.claimFor(), clock, blocking);
    time = new TimeJobs(database, writer::change);
    draftPhotos = new DraftPhotos(database, photoRequests, clock, blocking);
    photoBlobs = PhotoBlobs.open(settings.photos().store());
    photos = new PhotoService(writer, reader, draftPhotos, photoBlobs, terms, clock, blocking);
    photoWorker = photoWorker(ground, settings);
    pictures =
        new Photos(
            photos, new PhotoImages(database, photoBlobs), new PhotoVisibility(database, clock));
    answers = new HearPhotos(writer, draftPhotos, terms, clock);
    feeds =
        new FeedWiring(
            new FeedWiring.Ground(database, ground.outbox(), clock, blocking),
            categories,
            terms,
            settings.archiveAfter(),
            new OfferChunks(ground.outbox(), new FeedPhotos(), settings.archiveAfter()),
            feedSettings);
    services =
        List.of(
            new OfferRpc(offers, stages),
            new DraftRpc(drafts, offers, ground.tokens()),
            new CabinetRpc(cabinet, repair),
            new ModerationRpc(moderation, queue),
            new CategoryRpc(categories),
            new PhotoRpc(photos),
            feeds.rpc(),
            new ImportRpc(new ImportService(writer, terms, clock)));
  }

  public List<BindableService> services() {
    return services;
  }

  public Offers face() {
    return face;
  }

  public Photos photos() {
    return pictures;
  }

  public Feeds feeds() {
    return new Feeds(feeds);
  }

  public List<Consumer> consumers() {
    return List.of(
        new Consumer(ConsumerSpec.of("offers.photos", HearPhotos.TOPIC), answers),
        new Consumer(
            ConsumerSpec.of("offers.moderation", HearModerators.TOPIC)
                .withBatch(HearModerators.BATCH),
            new HearModerators(moderation)));
  }

  public void schedule(Jobs jobs) {
    DraftJobs draftJobs = new DraftJobs(database, photoRequests);
    jobs.every(OFTEN, "offers.expire", time::dueToExpire, time::expire);
    jobs.every(SELDOM, "offers.archive", time::archive);
    jobs.every(OFTEN, "drafts.takeovers", draftJobs::stalled, draftJobs::completeTakeovers);
    jobs.every(SELDOM, "drafts.idle", draftJobs::eraseIdle);
    jobs.every(OFTEN, "feeds.remove", feeds.jobs()::stalled, feeds.jobs()::completeRemovals);
    jobs.every(SELDOM, "feeds.forget", feeds.jobs()::forget);
  }

  /// Fetches and makes photos, which takes processors and memory.
  public List<Consumer> photoConsumers() {
    return List.of(
        new Consumer(PhotoWorker.spec(), photoWorker.handler()),
        new Consumer(PhotoWorker.bulkSpec(), photoWorker.bulkHandler()));
  }

  public void schedulePhotos(Jobs jobs) {
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

  private PhotoWorker photoWorker(Ground ground, OfferSettings settings) {
    return new PhotoWorker(
        ground.database(),
        ground.outbox(),
        photoBlobs,
        settings.photos(),
        ground.clock(),
        ground.registry(),
        blocking);
  }

  private static OfferWriter writer(Ground ground, OfferSettings settings) {
    return new OfferWriter(
        ground.database(),
        CoalescerSettings.of("offers.write", ground.database(), settings.writers()),
        ground.outbox(),
        new FeedPhotos(),
        settings.archiveAfter(),
        ground.registry());
  }

  private static OfferReader reader(Ground ground, OfferSettings settings) {
    return new OfferReader(
        ground.database(),
        CoalescerSettings.of("offers.read", ground.database(), settings.readers()),
        ground.registry());
  }
}
