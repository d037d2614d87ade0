package dev.torg.offers.wiring;

import dev.torg.offers.Feeds;
import dev.torg.offers.OfferSettings;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.Offers;
import dev.torg.offers.PhotoFiles;
import dev.torg.offers.archive.ArchiveOffersJob;
import dev.torg.offers.archive.ExpireOffersJob;
import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryRpc;
import dev.torg.offers.category.OfferValidator;
import dev.torg.offers.dashboard.CabinetRpc;
import dev.torg.offers.dashboard.PresetRepairService;
import dev.torg.offers.dashboard.SellerDashboardService;
import dev.torg.offers.draft.CompleteTakeoversJob;
import dev.torg.offers.draft.DraftPhotos;
import dev.torg.offers.draft.DraftRpc;
import dev.torg.offers.draft.DraftService;
import dev.torg.offers.draft.EraseIdleDraftsJob;
import dev.torg.offers.feed.FeedPhotoFailureCounter;
import dev.torg.offers.feed.FeedSettings;
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
import dev.torg.offers.photo.PhotoFileUploads;
import dev.torg.offers.photo.PhotoRpc;
import dev.torg.offers.photo.PhotoService;
import dev.torg.offers.promotion.PromotionEventsConsumer;
import dev.torg.offers.stage.StageService;
import dev.torg.offers.store.ActiveScan;
import dev.torg.offers.store.OfferBatchWriter;
import dev.torg.offers.store.OfferQueries;
import dev.torg.offers.store.OfferReader;
import dev.torg.offers.store.OfferWriter;
import dev.torg.offers.store.PhotoOwnerReader;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.offers.store.PresetRowRepair;
import dev.torg.photos.Blob;
import dev.torg.photos.PhotoOwnerLookup;
import dev.torg.photos.PhotoTopics;
import dev.torg.photos.PhotoUploadStore;
import dev.torg.platform.Caller;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.platform.module.ModuleContext;
import io.grpc.BindableService;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/// Builds the module. Its tables are in `db/offers` and require those of `platform`.
public final class OffersWiring implements AutoCloseable {
  /// The module's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "offers";

  /// The topics that this module owns.
  public static final List<TopicSpec> TOPICS =
      List.of(
          new TopicSpec(OfferTopics.OFFERS, Duration.ofDays(7)),
          new TopicSpec(OfferTopics.MODERATION, Duration.ofDays(7)),
          new TopicSpec(OfferTopics.FEEDS, Duration.ofDays(7)),
          new TopicSpec(OfferTopics.FEED_PROMOTIONS, Duration.ofDays(7)));

  private static final Duration EXPIRY_INTERVAL = Duration.ofSeconds(10);
  private static final Duration ARCHIVE_INTERVAL = Duration.ofMinutes(10);
  private static final Duration TAKEOVER_INTERVAL = Duration.ofSeconds(10);
  private static final Duration IDLE_DRAFT_INTERVAL = Duration.ofMinutes(10);
  private static final Duration FEED_REMOVAL_INTERVAL = Duration.ofSeconds(10);
  private static final Duration FEED_PURGE_INTERVAL = Duration.ofMinutes(10);

  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final Database database;
  final OfferWriter writer;
  private final OfferReader reader;
  private final PhotoPartStore photoParts;
  private final Offers offersApi;
  final OfferService offers;
  final StageService stages;
  final DraftService drafts;
  final SellerDashboardService dashboard;
  final PresetRepairService repair;
  final ModerationService moderation;
  final ModerationQueueService queue;
  final ExpireOffersJob expire;
  final ArchiveOffersJob archive;
  final PhotoService photos;
  private final PhotoAnswersConsumer photoAnswers;
  private final PromotionEventsConsumer promotionEvents;
  final FeedWiring feeds;
  private final List<BindableService> services;

  /// Uses default settings for feeds and refuses uploaded photos.
  public OffersWiring(
      ModuleContext context,
      Function<String, Caller> tokens,
      Categories categories,
      OfferSettings settings) {
    this(context, tokens, new NoUploads(), categories, settings, FeedSettings.defaults());
  }

  /// @param tokens verifies a token and returns its caller
  public OffersWiring(
      ModuleContext context,
      Function<String, Caller> tokens,
      PhotoUploadStore uploads,
      Categories categories,
      OfferSettings settings,
      FeedSettings feedSettings) {
    database = context.database();
    InstantSource clock = context.clock();
    OfferValidator validator = new OfferValidator(categories);
    PublishingTerms terms = new PublishingTerms(validator, settings.lifetime());
    writer = writer(context, settings);
    reader = reader(context, settings);
    offersApi = new OfferQueries(reader, new ActiveScan(database), categories, clock);
    offers = new OfferService(writer, reader, terms, clock, blocking);
    stages = new StageService(database, context.outbox(), clock, blocking);
    photoParts = new PhotoPartStore(context.outbox());
    drafts = new DraftService(database, validator, photoParts, clock, blocking);
    dashboard = new SellerDashboardService(database, reader, clock, blocking);
    repair = new PresetRepairService(database, new PresetRowRepair(database)::run, blocking);
    moderation = new ModerationService(writer, reader, database, terms, clock, blocking);
    queue = new ModerationQueueService(reader, database, settings.claimFor(), clock, blocking);
    expire = new ExpireOffersJob(database, writer::apply);
    archive = new ArchiveOffersJob(database);
    DraftPhotos draftPhotos = new DraftPhotos(database, photoParts, clock, blocking);
    photos = new PhotoService(writer, reader, draftPhotos, uploads, terms, clock, blocking);
    photoAnswers = new PhotoAnswersConsumer(writer, draftPhotos, terms, clock);
    promotionEvents = new PromotionEventsConsumer(writer, clock);
    feeds = feeds(context, categories, terms, settings, feedSettings);
    services =
        List.of(
            new OfferRpc(offers, stages),
            new DraftRpc(drafts, offers, tokens),
            new CabinetRpc(dashboard, repair),
            new ModerationRpc(moderation, queue),
            new CategoryRpc(categories),
            new PhotoRpc(photos),
            feeds.rpc(),
            new ImportRpc(new ImportService(writer, terms, clock)));
  }

  private FeedWiring feeds(
      ModuleContext context,
      Categories categories,
      PublishingTerms terms,
      OfferSettings settings,
      FeedSettings feedSettings) {
    OfferBatchWriter batches =
        new OfferBatchWriter(
            context.outbox(), new FeedPhotoFailureCounter(), settings.archiveAfter());
    return new FeedWiring(
        context, blocking, categories, terms, settings.archiveAfter(), batches, feedSettings);
  }

  /// The lookup that module `photos` needs. It does not need the other objects of this module.
  public static PhotoOwnerLookup photoOwners(Database database) {
    return new PhotoOwnerReader(database);
  }

  public List<BindableService> services() {
    return services;
  }

  public Offers offers() {
    return offersApi;
  }

  public PhotoFiles photos() {
    return new PhotoFileUploads(photos);
  }

  public Feeds feeds() {
    return feeds.files();
  }

  public List<ConsumerBinding> consumers() {
    return List.of(
        new ConsumerBinding(ConsumerSpec.of("offers.photos", PhotoTopics.ANSWERS), photoAnswers),
        new ConsumerBinding(
            ConsumerSpec.of("offers.promotions", OfferTopics.PROMOTIONS), promotionEvents),
        new ConsumerBinding(
            ConsumerSpec.of("offers.moderation", OfferTopics.MODERATION)
                .withBatch(ModerationOpinionsConsumer.BATCH),
            new ModerationOpinionsConsumer(moderation)));
  }

  public void schedule(JobScheduler jobs) {
    CompleteTakeoversJob takeovers = new CompleteTakeoversJob(database, photoParts);
    jobs.every(EXPIRY_INTERVAL, "offers.expire", expire::due, expire);
    jobs.every(ARCHIVE_INTERVAL, "offers.archive", archive);
    jobs.every(TAKEOVER_INTERVAL, "drafts.takeovers", takeovers::due, takeovers);
    jobs.every(IDLE_DRAFT_INTERVAL, "drafts.idle", new EraseIdleDraftsJob(database, photoParts));
    jobs.every(FEED_REMOVAL_INTERVAL, "feeds.remove", feeds.removals()::due, feeds.removals());
    jobs.every(FEED_PURGE_INTERVAL, "feeds.forget", feeds.purge());
  }

  /// Completes the accepted calls and refuses further ones.
  @Override
  public void close() {
    writer.close();
    reader.close();
    blocking.close();
  }

  /// Refuses every upload.
  private static final class NoUploads implements PhotoUploadStore {
    @Override
    public void storeUpload(String photo, Path file) {
      throw Blob.unavailable(null);
    }

    @Override
    public void dropUpload(String photo) {}
  }

  private static OfferWriter writer(ModuleContext context, OfferSettings settings) {
    return new OfferWriter(
        context.database(),
        CoalescerSettings.of("offers.write", context.database(), settings.writers()),
        context.outbox(),
        new FeedPhotoFailureCounter(),
        settings.archiveAfter(),
        context.metrics());
  }

  private static OfferReader reader(ModuleContext context, OfferSettings settings) {
    return new OfferReader(
        context.database(),
        CoalescerSettings.of("offers.read", context.database(), settings.readers()),
        context.metrics());
  }
}
