package dev.torg.alerts;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.protobuf.Value;
import dev.torg.alerts.delivery.AlertDedupPartitionsJob;
import dev.torg.alerts.delivery.AlertDeliveryConsumer;
import dev.torg.alerts.delivery.AlertMetrics;
import dev.torg.alerts.delivery.DeliveryContext;
import dev.torg.alerts.digest.SendDigestsJob;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.event.OfferPositions;
import dev.torg.alerts.event.StormAlert;
import dev.torg.alerts.merge.AlertsMergeSteps;
import dev.torg.alerts.merge.BellMergeStep;
import dev.torg.alerts.storm.StormStore;
import dev.torg.alerts.text.OpenLinks;
import dev.torg.alerts.wiring.AlertsWiring;
import dev.torg.api.v1.AddSellersRequest;
import dev.torg.api.v1.BlockRequest;
import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.FavoriteServiceGrpc.FavoriteServiceImplBase;
import dev.torg.api.v1.GiveOpinionRequest;
import dev.torg.api.v1.ListNotificationsRequest;
import dev.torg.api.v1.ModerationServiceGrpc.ModerationServiceImplBase;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.MoveFromAnonymousRequest;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationServiceGrpc.NotificationServiceImplBase;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.NotificationSettingsServiceGrpc.NotificationSettingsServiceImplBase;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferActionRequest;
import dev.torg.api.v1.OfferIds;
import dev.torg.api.v1.OfferServiceGrpc.OfferServiceImplBase;
import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.api.v1.SaveSearchRequest;
import dev.torg.api.v1.SavedSearch;
import dev.torg.api.v1.SearchIds;
import dev.torg.api.v1.SearchQuery;
import dev.torg.api.v1.SellerIds;
import dev.torg.api.v1.TopicSettings;
import dev.torg.api.v1.UpdateFavoriteSellerRequest;
import dev.torg.api.v1.UpdateOfferRequest;
import dev.torg.api.v1.UpdateSearchRequest;
import dev.torg.favorites.AlertEstimator;
import dev.torg.favorites.FavoriteSettings;
import dev.torg.favorites.FavoriteTopics;
import dev.torg.favorites.LoginMergeStep;
import dev.torg.favorites.projection.FavoritesProjectionConsumer;
import dev.torg.favorites.service.OfferScanCounter;
import dev.torg.favorites.wiring.FavoriteServicesWiring;
import dev.torg.favorites.wiring.FavoritesWiring;
import dev.torg.favorites.wiring.LoginMergeWiring;
import dev.torg.notifications.Bell;
import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationCenterSettings;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.settings.DeviceTimezones;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.offers.OfferSettings;
import dev.torg.offers.category.CategoryFile;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.db.ShardMap;
import dev.torg.platform.db.Tx;
import dev.torg.platform.identity.IssuedToken;
import dev.torg.platform.identity.Lifetimes;
import dev.torg.platform.identity.SigningKeys;
import dev.torg.platform.identity.TokenService;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.module.ModuleContext;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestDirectory;
import dev.torg.testkit.UnaryResponse;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/// The modules that alerts use, on a real database, called as the server calls them.
public final class AlertsFixture implements AutoCloseable {
  private static final AtomicLong USERS = new AtomicLong();

  public final TestClock clock;
  public final Database database;
  public final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  public final Outbox outbox = new Outbox();
  public final ModuleContext context;
  public final TokenService tokens;
  public final OffersWiring offers;
  public final NotificationsWiring notifications;
  public final FavoritesWiring favorites;
  public final LoginMergeWiring loginMerge;
  private final FavoriteServicesWiring services;
  public final AlertSettings settings;

  public AlertsFixture(TestDatabase tables, TestClock clock, AlertSettings settings) {
    this(Database.connect(tables.url(), 16), clock, settings);
  }

  public AlertsFixture(Database database, TestClock clock, AlertSettings settings) {
    this.clock = clock;
    this.settings = settings;
    this.database = database;
    this.tokens = tokens(clock);
    this.context = new ModuleContext(database, outbox, clock, registry);
    this.offers =
        new OffersWiring(
            context, tokens::verify, CategoryFile.defaultTree(), OfferSettings.defaults());
    this.notifications =
        new NotificationsWiring(
            context,
            NotificationTopics.defaults(),
            NotificationCenterSettings.defaults(),
            DeviceTimezones.NONE,
            List.of(AlertsWiring.settingsListener(clock)));
    this.favorites = new FavoritesWiring(context, FavoriteSettings.defaults());
    AlertsMergeSteps steps = new AlertsMergeSteps(database, notifications.settings(), clock);
    List<LoginMergeStep> ordered = new ArrayList<>(steps.before());
    ordered.add(BellMergeStep.step(notifications.merge(), offers.offers(), 100));
    ordered.add(favorites.mergeStep());
    ordered.addAll(steps.after());
    this.loginMerge = new LoginMergeWiring(database, ordered, tokens, clock);
    this.services = services(_ -> OptionalDouble.empty(), events -> {});
    new AlertDedupPartitionsJob(database).ensure(clock.instant());
  }

  public AlertsFixture(TestDatabase tables) {
    this(tables, new TestClock(), AlertSettings.defaults(temporary()));
  }

  public static TestDatabase tables() {
    return TestDatabase.fresh(
        "alerts",
        url ->
            Migrations.of(
                    "platform",
                    OffersWiring.MIGRATIONS,
                    FavoritesWiring.MIGRATIONS,
                    NotificationsWiring.MIGRATIONS,
                    AlertsWiring.MIGRATIONS)
                .migrate(url));
  }

  public static Path temporary() {
    return TestDirectory.create("alerts");
  }

  private static TokenService tokens(TestClock clock) {
    return new TokenService(
        SigningKeys.open(temporary().resolve("keys.json"), clock),
        Lifetimes.defaults(),
        Optional.empty(),
        clock);
  }

  public AlertsWiring.Dependencies dependencies() {
    return new AlertsWiring.Dependencies(
        offers.offers(),
        favorites.audiences(),
        favorites.backfills(),
        favorites.rules(),
        loginMerge.merges(),
        notifications.bell(),
        notifications.settings());
  }

  /// The module, not started.
  public AlertsWiring alerts(KafkaCluster kafka) {
    return new AlertsWiring(context, kafka, dependencies(), settings);
  }

  /// The services of favorites, with the estimator and the backfill handler of alerts.
  public FavoriteServicesWiring services(AlertEstimator estimator, EventHandler afterProjection) {
    return new FavoriteServicesWiring(
        context,
        new FavoriteServicesWiring.Dependencies(
            favorites,
            loginMerge,
            offers.offers(),
            new OfferScanCounter(offers.offers()),
            estimator,
            afterProjection),
        FavoriteSettings.defaults());
  }

  public AlertDeliveryConsumer writer() {
    return writer(notifications.bell());
  }

  /// Delivers to another bell.
  public AlertDeliveryConsumer writer(Bell bell) {
    return new AlertDeliveryConsumer(
        database, offers.offers(), loginMerge.merges(), delivery(bell));
  }

  public DeliveryContext delivery() {
    return delivery(notifications.bell());
  }

  private DeliveryContext delivery(Bell bell) {
    return new DeliveryContext(
        favorites.rules(),
        notifications.settings(),
        bell,
        settings,
        clock,
        new AlertMetrics(registry));
  }

  public SendDigestsJob digests() {
    return digests(notifications.bell());
  }

  /// Sends digests to another bell.
  public SendDigestsJob digests(Bell bell) {
    return new SendDigestsJob(
        database,
        offers.offers(),
        favorites.rules(),
        notifications.settings(),
        bell,
        OpenLinks.RELATIVE,
        registry);
  }

  /// Deletes all rows of a table.
  public void clear(String table) {
    byShard(
        (tx, homes) ->
            tx.sql("DELETE FROM " + table + " WHERE home = ANY (?::int[])")
                .ints(homes, Home::number)
                .update());
  }

  /// Deletes the events of a topic from the outbox.
  public void clearOutbox(String topic) {
    byShard(
        (tx, homes) ->
            tx.sql("DELETE FROM outbox WHERE home = ANY (?::int[]) AND topic = ?")
                .ints(homes, Home::number)
                .set(topic)
                .update());
  }

  private interface ShardWrite {
    void run(Tx tx, List<Home> homes) throws SQLException;
  }

  private void byShard(ShardWrite write) {
    for (int shard = 0; shard < database.shards().count(); shard++) {
      List<Home> homes = database.shards().homes(shard);
      database.transact(tx -> write.run(tx, homes));
    }
  }

  /// A new user.
  public static String newUser() {
    return "user:p" + USERS.incrementAndGet();
  }

  /// A new user in the same shard: one transaction delivers the alerts of both.
  public String newUserInShardOf(String other) {
    ShardMap shards = database.shards();
    int shard = shards.shardOf(Home.of(other));
    return Stream.generate(AlertsFixture::newUser)
        .filter(newUser -> shards.shardOf(Home.of(newUser)) == shard)
        .findFirst()
        .orElseThrow();
  }

  // Calls of users.

  public interface RpcMethod<S, Q, A> {
    void call(S service, Q request, StreamObserver<A> response);
  }

  /// Calls a service as the subject; a subject `user:moderator…` is a moderator.
  @CanIgnoreReturnValue
  public <S, Q, A> A as(String subject, S service, Q request, RpcMethod<S, Q, A> method) {
    Set<Caller.Role> roles =
        subject.startsWith(Caller.ANONYMOUS_PREFIX)
            ? Set.of(Caller.Role.ANONYMOUS)
            : subject.startsWith("user:moderator")
                ? Set.of(Caller.Role.USER, Caller.Role.MODERATOR)
                : Set.of(Caller.Role.USER);
    UnaryResponse<A> response = new UnaryResponse<>();
    Context.current()
        .withValue(CurrentCaller.KEY, new Caller(subject, roles))
        .run(() -> method.call(service, request, response));
    return response.await();
  }

  private static <S> S find(List<BindableService> services, Class<S> type) {
    return services.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }

  private OfferServiceImplBase offerService() {
    return find(offers.services(), OfferServiceImplBase.class);
  }

  public FavoriteServiceImplBase favoriteService() {
    return find(services.services(), FavoriteServiceImplBase.class);
  }

  public static Offer car(String title, long price) {
    return Offer.newBuilder()
        .setCategory("cars")
        .setTitle(title)
        .setDescription("Runs well.")
        .setPrice(Money.newBuilder().setAmount(price).setCurrency("EUR"))
        .setRegion("de/hessen/65474")
        .putAttributes("brand", Value.newBuilder().setStringValue("audi").build())
        .build();
  }

  @CanIgnoreReturnValue
  public Offer publish(String seller, Offer offer) {
    return as(
        seller,
        offerService(),
        PublishOfferRequest.newBuilder().setOffer(offer).build(),
        OfferServiceImplBase::publishOffer);
  }

  public Offer publish(String seller) {
    return publish(seller, car("A car", 100_000));
  }

  @CanIgnoreReturnValue
  public Offer edit(Offer before, Offer content) {
    return as(
        before.getSellerId(),
        offerService(),
        UpdateOfferRequest.newBuilder().setId(before.getId()).setOffer(content).build(),
        OfferServiceImplBase::updateOffer);
  }

  @CanIgnoreReturnValue
  public Offer reprice(Offer before, long price) {
    return edit(before, car(before.getTitle(), price));
  }

  @CanIgnoreReturnValue
  public Offer withdraw(Offer offer) {
    return as(
        offer.getSellerId(),
        offerService(),
        OfferActionRequest.newBuilder().setId(offer.getId()).build(),
        OfferServiceImplBase::withdrawOffer);
  }

  public Offer prolong(Offer offer) {
    return as(
        offer.getSellerId(),
        offerService(),
        OfferActionRequest.newBuilder().setId(offer.getId()).build(),
        OfferServiceImplBase::prolongOffer);
  }

  @CanIgnoreReturnValue
  public Offer reactivate(Offer offer) {
    return as(
        offer.getSellerId(),
        offerService(),
        OfferActionRequest.newBuilder().setId(offer.getId()).build(),
        OfferServiceImplBase::reactivateOffer);
  }

  @CanIgnoreReturnValue
  public Offer giveOpinion(Offer offer, Opinion.Verdict verdict) {
    return as(
        "user:moderator",
        find(offers.services(), ModerationServiceImplBase.class),
        GiveOpinionRequest.newBuilder()
            .setId(offer.getId())
            .setOpinion(Opinion.newBuilder().setVerdict(verdict).addReasons("test"))
            .build(),
        ModerationServiceImplBase::giveOpinion);
  }

  public void follow(String recipient, String seller) {
    as(
        recipient,
        favoriteService(),
        AddSellersRequest.newBuilder().addSellerIds(seller).build(),
        FavoriteServiceImplBase::addSellers);
  }

  public void unfollow(String recipient, String seller) {
    as(
        recipient,
        favoriteService(),
        SellerIds.newBuilder().addSellerIds(seller).build(),
        FavoriteServiceImplBase::removeSellers);
  }

  public void deliverSeller(
      String recipient, String seller, Delivery delivery, Channel... channels) {
    as(
        recipient,
        favoriteService(),
        UpdateFavoriteSellerRequest.newBuilder()
            .setId(seller)
            .setSettings(delivery(delivery, channels))
            .build(),
        FavoriteServiceImplBase::updateSeller);
  }

  public static SearchQuery cars(String text) {
    return SearchQuery.newBuilder().setCategory("cars").setText(text).build();
  }

  /// Its id.
  @CanIgnoreReturnValue
  public String search(String recipient, SearchQuery query, String name) {
    SavedSearch saved =
        as(
            recipient,
            favoriteService(),
            SaveSearchRequest.newBuilder().setQuery(query).setName(name).build(),
            FavoriteServiceImplBase::saveSearch);
    return saved.getSearchId();
  }

  public void deliverSearch(
      String recipient, String searchId, Delivery delivery, Channel... channels) {
    as(
        recipient,
        favoriteService(),
        UpdateSearchRequest.newBuilder()
            .setId(searchId)
            .setSettings(delivery(delivery, channels))
            .build(),
        FavoriteServiceImplBase::updateSearch);
  }

  public void removeSearch(String recipient, String searchId) {
    as(
        recipient,
        favoriteService(),
        SearchIds.newBuilder().addSearchIds(searchId).build(),
        FavoriteServiceImplBase::removeSearches);
  }

  private static DeliverySettings delivery(Delivery delivery, Channel... channels) {
    return DeliverySettings.newBuilder()
        .setDelivery(delivery)
        .addAllChannels(Arrays.stream(channels).map(Channel::name).toList())
        .build();
  }

  public void save(String recipient, Offer offer) {
    as(
        recipient,
        favoriteService(),
        OfferIds.newBuilder().addOfferIds(offer.getId()).build(),
        FavoriteServiceImplBase::addOffers);
  }

  public void block(String recipient, String seller) {
    as(
        recipient,
        favoriteService(),
        BlockRequest.newBuilder().setSeller(seller).build(),
        FavoriteServiceImplBase::blockSeller);
  }

  public void mergeInto(IssuedToken anonymous, String login) {
    as(
        login,
        favoriteService(),
        MoveFromAnonymousRequest.newBuilder().setAnonymousToken(anonymous.token()).build(),
        FavoriteServiceImplBase::moveFromAnonymous);
  }

  /// Merges into a login, unless the process ends before it is done ([EndingPool]).
  public boolean isInterrupted(IssuedToken anonymous, String login) {
    try {
      mergeInto(anonymous, login);
      return false;
    } catch (EndingPool.Ended e) {
      return true;
    } catch (CompletionException e) {
      if (e.getCause() instanceof EndingPool.Ended) {
        return true;
      }
      throw e;
    }
  }

  // What users are notified of.

  public NotificationServiceImplBase notificationService() {
    return find(notifications.services(), NotificationServiceImplBase.class);
  }

  public NotificationSettingsServiceImplBase settingsService() {
    return find(notifications.services(), NotificationSettingsServiceImplBase.class);
  }

  public void put(String recipient, NotificationSettings settings) {
    as(
        recipient,
        settingsService(),
        settings,
        NotificationSettingsServiceImplBase::putNotificationSettings);
  }

  public void mute(String recipient, String... topics) {
    TopicSettings muted = TopicSettings.newBuilder().setMuted(true).build();
    NotificationSettings.Builder settings = NotificationSettings.newBuilder();
    Stream.of(topics).forEach(topic -> settings.putTopics(topic, muted));
    put(recipient, settings.build());
  }

  /// Latest first.
  public List<Notification> bell(String recipient) {
    return as(
            recipient,
            notificationService(),
            ListNotificationsRequest.newBuilder().setPageSize(200).build(),
            NotificationServiceImplBase::listNotifications)
        .getNotificationsList();
  }

  public List<String> notifiedOf(String recipient) {
    return bell(recipient).stream().map(Notification::getOfferId).toList();
  }

  public long dedupRows(String recipient) {
    return database.read(
        tx ->
            tx.sql("SELECT count(*) FROM told WHERE home = ? AND owner = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }

  // Alerts as consumers receive them.

  public static Alert alert(String recipient, Offer offer, AlertReason... reasons) {
    AlertContent content =
        AlertContent.newOffer(offer, EpochMicros.instant(offer.getActivatedAt()));
    return new Alert(recipient, content, new LinkedHashSet<>(Arrays.asList(reasons)));
  }

  public static Alert price(String recipient, Offer offer, Money... former) {
    AlertContent content =
        AlertContent.priceChange(
            offer, EpochMicros.instant(offer.getUpdatedAt()), Arrays.asList(former));
    return new Alert(recipient, content, Set.of(AlertReason.price(offer.getId())));
  }

  public static List<Event> events(Alert... alerts) {
    List<Event> events = new ArrayList<>();
    for (Alert alert : alerts) {
      events.add(event(AlertTopics.NORMAL, events.size(), alert.recipient(), alert.toBytes()));
    }
    return events;
  }

  public static List<Event> events(StormAlert... alerts) {
    List<Event> events = new ArrayList<>();
    for (StormAlert alert : alerts) {
      events.add(event(AlertTopics.STORM, events.size(), alert.recipient(), alert.toBytes()));
    }
    return events;
  }

  private static Event event(String topic, long offset, String key, byte[] payload) {
    return new Event(topic, 0, offset, key, 0, payload, TestClock.START, false);
  }

  /// The positions of the offers in the storm of their seller.
  public Map<OfferId, Integer> number(String seller, List<Offer> offers) {
    List<StormStore.StormOffer> numbered =
        offers.stream()
            .map(
                offer ->
                    new StormStore.StormOffer(
                        OfferId.parse(offer.getId()), EpochMicros.instant(offer.getActivatedAt())))
            .toList();
    return database.inTransaction(tx -> new StormStore().number(tx, seller, numbered));
  }

  /// Delivers the offers to the recipient in one record.
  public void deliverStorm(String recipient, String seller, AlertReason reason, List<Offer> offers)
      throws Exception {
    OfferPositions positions =
        OfferPositions.of(
            number(seller, offers).values().stream().mapToInt(position -> position).toArray());
    writer().handle(events(new StormAlert(recipient, seller, Map.of(reason, positions))));
  }

  // Events in the outbox.

  /// The events of a topic, in order.
  public List<Event> outbox(String topic) {
    return database.read(
        tx ->
            tx.sql("SELECT key, seq, payload FROM outbox WHERE topic = ? ORDER BY seq")
                .set(topic)
                .list(
                    row ->
                        new Event(
                            topic,
                            0,
                            row.longAt(2),
                            row.textAt(1),
                            row.longAt(2),
                            row.bytesAt(3),
                            TestClock.START,
                            false)));
  }

  /// Applies the favorites in the outbox to the projections.
  public void projectFavorites() throws Exception {
    new FavoritesProjectionConsumer(database, outbox, clock)
        .handle(outbox(FavoriteTopics.FAVORITES));
  }

  @Override
  public void close() {
    favorites.close();
    offers.close();
    notifications.close();
    database.close();
  }
}
