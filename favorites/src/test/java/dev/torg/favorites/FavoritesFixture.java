package dev.torg.favorites;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.AddSellersRequest;
import dev.torg.api.v1.Collection;
import dev.torg.api.v1.CollectionOffersRequest;
import dev.torg.api.v1.CreateCollectionRequest;
import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteCounts;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.GetFavoriteCountsRequest;
import dev.torg.api.v1.ListFavoritesRequest;
import dev.torg.api.v1.ListFavoritesResponse;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferIds;
import dev.torg.api.v1.PutNoteRequest;
import dev.torg.api.v1.SaveSearchRequest;
import dev.torg.api.v1.SearchEvent;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.projection.FavoritesProjectionConsumer;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.favorites.service.OfferCounter;
import dev.torg.favorites.wiring.FavoriteServicesWiring;
import dev.torg.favorites.wiring.FavoritesWiring;
import dev.torg.favorites.wiring.LoginMergeWiring;
import dev.torg.favorites.write.FavoritesStore;
import dev.torg.platform.Caller;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.identity.Lifetimes;
import dev.torg.platform.identity.SigningKeys;
import dev.torg.platform.identity.TokenService;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.module.ModuleContext;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestDirectory;
import dev.torg.testkit.UnaryResponse;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Favorites on a real database, called as the server calls them, with offers from a map.
final class FavoritesFixture implements AutoCloseable {
  private static final AtomicLong USERS = new AtomicLong();

  final Database database;
  final Outbox outbox = new Outbox();
  final TestClock clock = new TestClock();
  final Map<OfferId, Offer> offers = new ConcurrentHashMap<>();
  final TokenService tokens;
  final List<LoginMergeStep> mergeSteps = new ArrayList<>();
  final FavoritesWiring wiring;
  final LoginMergeWiring loginMerge;
  final FavoriteServicesWiring services;
  final FavoriteRpc rpc;
  final FavoritesProjectionConsumer projections;
  volatile OptionalDouble alertsPerDay = OptionalDouble.empty();
  volatile int offersNow = 3;

  FavoritesFixture(TestDatabase tables) {
    this(tables, FavoriteSettings.defaults());
  }

  FavoritesFixture(TestDatabase tables, FavoriteSettings settings) {
    this.database = Database.connect(tables.url(), 12);
    this.tokens = tokens(clock);
    ModuleContext context = new ModuleContext(database, outbox, clock, new SimpleMeterRegistry());
    LoginMergeStep others =
        LoginMergeStep.named(
            "others", (from, to) -> mergeSteps.stream().anyMatch(s -> s.page(from, to)));
    this.wiring = new FavoritesWiring(context, settings);
    this.loginMerge =
        new LoginMergeWiring(database, List.of(others, wiring.mergeStep()), tokens, clock);
    this.services =
        new FavoriteServicesWiring(
            context,
            new FavoriteServicesWiring.Dependencies(
                wiring,
                loginMerge,
                new MapOffers(offers),
                (_, _) -> new OfferCounter.Count(offersNow, true),
                _ -> alertsPerDay,
                events -> {}),
            settings);
    this.rpc = (FavoriteRpc) services.services().getFirst();
    this.projections = new FavoritesProjectionConsumer(database, outbox, clock);
  }

  static TestDatabase tables() {
    return TestDatabase.fresh(
        "favorites", url -> Migrations.of("platform", FavoritesWiring.MIGRATIONS).migrate(url));
  }

  private static TokenService tokens(InstantSource clock) {
    Path keys = TestDirectory.create("favorites-keys");
    return new TokenService(
        SigningKeys.open(keys.resolve("keys.json"), clock),
        Lifetimes.defaults(),
        Optional.empty(),
        clock);
  }

  FavoritesStore store() {
    return new FavoritesStore(outbox, new EventSequence(clock));
  }

  /// A new user.
  static String newUser() {
    return "user:p" + USERS.incrementAndGet();
  }

  /// A new user of whom one transaction may write together with the other.
  String newUserOfShard(String other) {
    String user = newUser();
    while (shard(user) != shard(other)) {
      user = newUser();
    }
    return user;
  }

  private int shard(String user) {
    return database.shards().shardOf(Home.of(user));
  }

  /// Deletes all rows of a table, one shard at a time.
  void clear(String table) {
    for (int shard = 0; shard < database.shards().count(); shard++) {
      List<Home> homes = database.shards().homes(shard);
      database.transact(
          tx ->
              tx.sql("DELETE FROM " + table + " WHERE home = ANY (?::int[])")
                  .homes(homes, home -> home)
                  .update());
    }
  }

  /// An offer that everybody can see.
  String offer() {
    return offer(1000);
  }

  String offer(long price) {
    OfferId id = OfferId.random(new Home((int) (USERS.incrementAndGet() % 256)));
    offers.put(
        id,
        Offer.newBuilder()
            .setId(id.toString())
            .setVersion(1)
            .setTitle("an offer")
            .setPrice(Money.newBuilder().setAmount(price).setCurrency("EUR"))
            .build());
    return id.toString();
  }

  List<String> offers(int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(offer());
    }
    return ids;
  }

  /// A call of the service.
  interface RpcMethod<Q, A> {
    void call(FavoriteRpc rpc, Q request, StreamObserver<A> response);
  }

  /// Calls as the subject.
  @CanIgnoreReturnValue
  <Q, A> A as(String subject, Q request, RpcMethod<Q, A> method) {
    Caller.Role role =
        subject.startsWith(Caller.ANONYMOUS_PREFIX) ? Caller.Role.ANONYMOUS : Caller.Role.USER;
    UnaryResponse<A> response = new UnaryResponse<>();
    Context.current()
        .withValue(CurrentCaller.KEY, new Caller(subject, Set.of(role)))
        .run(() -> method.call(rpc, request, response));
    return response.await();
  }

  void save(String owner, List<String> offerIds) {
    as(owner, OfferIds.newBuilder().addAllOfferIds(offerIds).build(), FavoriteRpc::addOffers);
  }

  void remove(String owner, List<String> offerIds) {
    as(owner, OfferIds.newBuilder().addAllOfferIds(offerIds).build(), FavoriteRpc::removeOffers);
  }

  void note(String owner, String offer, String text) {
    as(owner, PutNoteRequest.newBuilder().setId(offer).setText(text).build(), FavoriteRpc::putNote);
  }

  void follow(String owner, String seller, Delivery delivery) {
    as(
        owner,
        AddSellersRequest.newBuilder()
            .addSellerIds(seller)
            .setSettings(DeliverySettings.newBuilder().setDelivery(delivery))
            .build(),
        FavoriteRpc::addSellers);
  }

  void search(String owner, String category, String name) {
    SearchQuery query = SearchQuery.newBuilder().setCategory(category).build();
    as(
        owner,
        SaveSearchRequest.newBuilder().setQuery(query).setName(name).build(),
        FavoriteRpc::saveSearch);
  }

  Collection create(String owner, String name) {
    return as(
        owner,
        CreateCollectionRequest.newBuilder().setName(name).build(),
        FavoriteRpc::createCollection);
  }

  void addToCollection(String owner, Collection collection, List<String> offers) {
    as(
        owner,
        CollectionOffersRequest.newBuilder()
            .setId(collection.getId())
            .addAllOfferIds(offers)
            .build(),
        FavoriteRpc::addToCollection);
  }

  List<Favorite> list(String owner, Favorite.Kind kind) {
    ListFavoritesResponse page =
        as(
            owner,
            ListFavoritesRequest.newBuilder().setKind(kind).setPageSize(200).build(),
            FavoriteRpc::listFavorites);
    return page.getFavoritesList();
  }

  List<String> ids(String owner, Favorite.Kind kind) {
    return list(owner, kind).stream().map(Favorite::getId).toList();
  }

  int count(String owner, Favorite.Kind kind) {
    FavoriteCounts counts =
        as(owner, GetFavoriteCountsRequest.getDefaultInstance(), FavoriteRpc::getFavoriteCounts);
    return counts.getCountsOrThrow(kind.name());
  }

  /// The events in the outbox about favorites, as a consumer receives them; they stay there.
  List<Event> events(String topic) {
    return database.read(
        tx ->
            tx.sql("SELECT key, seq, payload FROM outbox WHERE topic = ? ORDER BY seq")
                .set(topic)
                .list(
                    row ->
                        new Event(
                            topic,
                            Home.of(row.textAt(1)).number() % 8,
                            row.longAt(2),
                            row.textAt(1),
                            row.longAt(2),
                            row.bytesAt(3),
                            TestClock.START,
                            false)));
  }

  /// Feeds all events to the projections, partition by partition.
  void project() {
    project(events("torg.favorites"));
  }

  void project(List<Event> events) {
    Map<Integer, List<Event>> partitions = new HashMap<>();
    events.forEach(e -> partitions.computeIfAbsent(e.partition(), _ -> new ArrayList<>()).add(e));
    partitions
        .values()
        .forEach(
            batch -> {
              try {
                projections.handle(batch);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
  }

  List<FavoriteEvent> favoriteEvents(String owner) {
    return events("torg.favorites").stream()
        .filter(event -> event.key().equals(owner))
        .map(FavoritesFixture::favoriteEvent)
        .toList();
  }

  List<SearchEvent> searchEvents(String searchId) {
    return events("torg.searches").stream()
        .filter(event -> event.key().equals(searchId))
        .map(FavoritesFixture::searchEvent)
        .toList();
  }

  private static FavoriteEvent favoriteEvent(Event event) {
    try {
      return FavoriteEvent.parseFrom(event.payload());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SearchEvent searchEvent(Event event) {
    try {
      return SearchEvent.parseFrom(event.payload());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    wiring.close();
    database.close();
  }
}
