package dev.torg.offers.wiring;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Value;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.QueueEntry;
import dev.torg.offers.OfferSettings;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.Offers;
import dev.torg.offers.archive.ArchiveOffersJob;
import dev.torg.offers.archive.ExpireOffersJob;
import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryFile;
import dev.torg.offers.category.CategoryRpc;
import dev.torg.offers.dashboard.CabinetRpc;
import dev.torg.offers.dashboard.PresetRepairService;
import dev.torg.offers.dashboard.SellerDashboardService;
import dev.torg.offers.draft.DraftRpc;
import dev.torg.offers.feed.FeedSettings;
import dev.torg.offers.moderation.ModerationQueueService;
import dev.torg.offers.moderation.ModerationService;
import dev.torg.offers.offer.OfferRpc;
import dev.torg.offers.offer.OfferService;
import dev.torg.offers.photo.PhotoService;
import dev.torg.offers.stage.StageService;
import dev.torg.offers.store.OfferWriter;
import dev.torg.photos.PhotoImages;
import dev.torg.photos.PhotoSettings;
import dev.torg.photos.wiring.PhotosWiring;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.db.ShardMap;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.module.ModuleContext;
import dev.torg.platform.outbox.Outbox;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestDirectory;
import dev.torg.testkit.UnaryResponse;
import io.grpc.BindableService;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Module `offers` and module `photos` on a fresh database.
public final class OffersFixture implements AfterAllCallback {
  private static final Migrations MIGRATIONS = Migrations.of("platform", OffersWiring.MIGRATIONS);

  public final TestClock clock = new TestClock();
  public final Categories categories;
  private final TestDatabase server = TestDatabase.fresh("offers", MIGRATIONS::migrate);
  private final Database database = Database.connect(server.url(), 20);
  private final OfferSettings settings;
  private final PhotoSettings photoSettings;
  private final PhotosWiring preparation;
  private final OffersWiring wiring;

  public OffersFixture() {
    this(OfferSettings.defaults());
  }

  public OffersFixture(OfferSettings settings) {
    this(settings, CategoryFile.defaultTree());
  }

  public OffersFixture(PhotoSettings photos) {
    this(OfferSettings.defaults(), photos, CategoryFile.defaultTree());
  }

  public OffersFixture(OfferSettings settings, Categories categories) {
    this(settings, PhotoSettings.defaults(TestDirectory.create("offers-photos")), categories);
  }

  private OffersFixture(OfferSettings settings, PhotoSettings photos, Categories categories) {
    this.settings = settings;
    this.photoSettings = photos;
    this.categories = categories;
    this.preparation = preparation(database);
    this.wiring = wiring(database);
  }

  public OffersWiring wiring(Database database) {
    return new OffersWiring(
        context(database),
        OffersFixture::caller,
        preparation.uploads(),
        categories,
        settings,
        FeedSettings.defaults().withMaxCpuLoad(1));
  }

  public PhotosWiring preparation(Database database) {
    return new PhotosWiring(context(database), OffersWiring.photoOwners(database), photoSettings);
  }

  private ModuleContext context(Database database) {
    return new ModuleContext(database, new Outbox(), clock, new SimpleMeterRegistry());
  }

  /// Another process on the same database.
  public static OfferService offers(OffersWiring wiring) {
    return wiring.offers;
  }

  public static ModerationService moderation(OffersWiring wiring) {
    return wiring.moderation;
  }

  private static Caller caller(String token) {
    return token.startsWith("anon:") ? anonymous(token.substring(5)) : user(token.substring(5));
  }

  public Database database() {
    return database;
  }

  public String url() {
    return server.url();
  }

  public OfferService offers() {
    return wiring.offers;
  }

  public Offers offersApi() {
    return wiring.offers();
  }

  public StageService stages() {
    return wiring.stages;
  }

  public SellerDashboardService dashboard() {
    return wiring.dashboard;
  }

  public PresetRepairService repair() {
    return wiring.repair;
  }

  public ModerationService moderation() {
    return wiring.moderation;
  }

  public ModerationQueueService queue() {
    return wiring.queue;
  }

  /// The adapters of the module.
  public record Rpc(
      OfferRpc offers, DraftRpc drafts, CabinetRpc dashboardRpc, CategoryRpc categories) {}

  public Rpc rpc() {
    List<BindableService> services = wiring.services();
    return new Rpc(
        (OfferRpc) services.get(0),
        (DraftRpc) services.get(1),
        (CabinetRpc) services.get(2),
        (CategoryRpc) services.get(4));
  }

  public List<ConsumerBinding> consumers() {
    return wiring.consumers();
  }

  public PhotoService photos() {
    return wiring.photos;
  }

  public PhotoImages images() {
    return preparation.images();
  }

  public List<ConsumerBinding> photoConsumers() {
    return preparation.consumers();
  }

  /// Retries photos that are due by the test's clock.
  public void retryPhotos() {
    List<Home> all = IntStream.range(0, Home.COUNT).mapToObj(Home::new).toList();
    preparation.retry(all, clock.instant());
  }

  /// Runs the backfill of photo owners to its end.
  public void backfillPhotoOwners() {
    List<Home> all = IntStream.range(0, Home.COUNT).mapToObj(Home::new).toList();
    while (preparation.backfillOwners(all, clock.instant())) {
      Thread.onSpinWait();
    }
  }

  public OfferWriter writer() {
    return wiring.writer;
  }

  public FeedWiring feeds() {
    return wiring.feeds;
  }

  public ExpireOffersJob expireOffers() {
    return wiring.expire;
  }

  public ArchiveOffersJob archiveOffers() {
    return wiring.archive;
  }

  public static Caller user(String name) {
    return new Caller("user:" + name, Set.of(Role.USER));
  }

  public static Caller moderator(String name) {
    return new Caller("user:" + name, Set.of(Role.USER, Role.MODERATOR));
  }

  public static Caller anonymous(String name) {
    return new Caller("anon:" + name, Set.of(Role.ANONYMOUS));
  }

  public static Offer car(String title, long price) {
    return Offer.newBuilder()
        .setCategory("cars")
        .setTitle(title)
        .setDescription("Runs well.\nOne owner.")
        .setPrice(money(price))
        .setRegion("de/hessen/65474")
        .putAttributes("brand", text("audi"))
        .putAttributes("year", Value.newBuilder().setNumberValue(2015).build())
        .build();
  }

  /// An offer of a premoderated category.
  public static Offer pet(String title) {
    return Offer.newBuilder()
        .setCategory("pets")
        .setTitle(title)
        .putAttributes("species", text("cat"))
        .build();
  }

  public static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  public static Money money(long amount) {
    return Money.newBuilder().setAmount(amount).setCurrency("EUR").build();
  }

  /// The result of the future, or its failure.
  public static <T> T await(CompletableFuture<T> future) {
    return UnaryResponse.await(future);
  }

  /// The kind of failure, or OK.
  public static String kindOf(Supplier<CompletableFuture<?>> call) {
    try {
      await(call.get());
      return "OK";
    } catch (Failure failure) {
      return failure.kind().name();
    }
  }

  /// The offer's entry in the moderation queue.
  public Optional<QueueEntry> queued(Offer offer) {
    return await(wiring.queue.page(200, "")).getEntriesList().stream()
        .filter(entry -> entry.getOffer().getId().equals(offer.getId()))
        .findFirst();
  }

  /// Why the offer is in the moderation queue; empty if it is not.
  public List<String> queueCauses(Offer offer) {
    return queued(offer).map(QueueEntry::getCausesList).map(List::copyOf).orElse(List.of());
  }

  /// The events of an offer in the outbox, in order.
  public List<OfferEvent> events(String offerId) {
    return database.read(
        tx ->
            tx.sql("SELECT payload FROM outbox WHERE topic = ? AND key = ? ORDER BY seq")
                .set(OfferTopics.OFFERS)
                .set(offerId)
                .list(row -> event(row.bytesAt(1))));
  }

  /// All homes, by shard: a transaction writes rows of one of them.
  public List<List<Home>> homesByShard() {
    ShardMap shards = database.shards();
    return IntStream.range(0, shards.count()).mapToObj(shards::homes).toList();
  }

  private static OfferEvent event(byte[] payload) {
    try {
      return OfferEvent.parseFrom(payload);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    wiring.close();
    preparation.close();
    database.close();
    server.close();
  }
}
