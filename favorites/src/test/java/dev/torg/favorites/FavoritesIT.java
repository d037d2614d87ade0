package dev.torg.favorites;

import static dev.torg.favorites.FavoritesFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.AddSellersRequest;
import dev.torg.api.v1.BatchGetFavoritesRequest;
import dev.torg.api.v1.BatchGetFavoritesResponse;
import dev.torg.api.v1.BatchResult;
import dev.torg.api.v1.BatchResults;
import dev.torg.api.v1.BlockRequest;
import dev.torg.api.v1.Collection;
import dev.torg.api.v1.CollectionOffersRequest;
import dev.torg.api.v1.CreateCollectionRequest;
import dev.torg.api.v1.DeleteCollectionRequest;
import dev.torg.api.v1.DeleteNoteRequest;
import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteCounts;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.FavoriteOffer;
import dev.torg.api.v1.GetFavoriteCountsRequest;
import dev.torg.api.v1.ListCollectionOffersRequest;
import dev.torg.api.v1.ListCollectionOffersResponse;
import dev.torg.api.v1.ListCollectionsRequest;
import dev.torg.api.v1.ListCollectionsResponse;
import dev.torg.api.v1.ListFavoritesRequest;
import dev.torg.api.v1.ListFavoritesResponse;
import dev.torg.api.v1.OfferIds;
import dev.torg.api.v1.PutNoteRequest;
import dev.torg.api.v1.RenameCollectionRequest;
import dev.torg.api.v1.SellerIds;
import dev.torg.api.v1.UpdateFavoriteSellerRequest;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.favorites.write.AlertRuleStore;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.queries.PriceHash;
import dev.torg.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FavoritesIT {
  @RegisterExtension static final TestDatabase TABLES = FavoritesFixture.tables();

  private static final FavoritesFixture FIXTURE = new FavoritesFixture(TABLES);

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @Test
  void addOffers_someUnknown_othersAreSaved() {
    String owner = newUser();
    String existing = FIXTURE.offer();
    String unknown = OfferId.random(new Home(3)).toString();
    BatchResults results = add(owner, List.of(existing, unknown, "17"));
    assertThat(results.getResultsList())
        .extracting(BatchResult::getCode)
        .containsExactly("OK", "NOT_FOUND", "INVALID");
    assertThat(ids(owner, Favorite.Kind.OFFER)).containsExactly(existing);
    assertThat(counts(owner)).containsEntry("OFFER", 1).containsEntry("COLLECTION", 0);
  }

  @Test
  void addOffers_again_changesNothing() {
    String owner = newUser();
    List<String> offers = FIXTURE.offers(3);
    FIXTURE.save(owner, offers);
    Favorite before = list(owner, Favorite.Kind.OFFER).getFavorites(0);
    FIXTURE.save(owner, offers);
    assertThat(list(owner, Favorite.Kind.OFFER).getFavorites(0)).isEqualTo(before);
    assertThat(counts(owner)).containsEntry("OFFER", 3);
    assertThat(FIXTURE.favoriteEvents(owner)).hasSize(3);
  }

  @Test
  void addOffers_event_carriesTimeAndPriceKnown() {
    String owner = newUser();
    String offer = FIXTURE.offer(12_345);
    FIXTURE.save(owner, List.of(offer));
    FavoriteEvent event = FIXTURE.favoriteEvents(owner).getFirst();
    assertThat(event.getPriceHash())
        .isEqualTo(PriceHash.of(FIXTURE.offers.get(OfferId.parse(offer))));
    assertThat(event.getPriceVersion()).isEqualTo(1);
    assertThat(event.getCreatedAt())
        .isEqualTo(list(owner, Favorite.Kind.OFFER).getFavorites(0).getCreatedAt());
  }

  @Test
  void removeOffer_removesNoteAndCollectionEntriesToo() {
    String owner = newUser();
    String offer = FIXTURE.offer();
    note(owner, offer, "check the rust");
    Collection collection = create(owner, "cars");
    addTo(owner, collection, List.of(offer, FIXTURE.offer()));
    FIXTURE.remove(owner, List.of(offer));
    assertThat(counts(owner))
        .isEqualTo(Map.of("OFFER", 1, "SEARCH", 0, "SELLER", 0, "NOTE", 0, "COLLECTION", 1));
    assertThat(collections(owner).getFirst().getSize()).isEqualTo(1);
    FIXTURE.save(owner, List.of(offer));
    assertThat(get(owner, Favorite.Kind.OFFER, offer).getFavorites(0).getOffer().getNote())
        .isEmpty();
  }

  @Test
  void note_onUnsavedOffer_savesIt() {
    String owner = newUser();
    String offer = FIXTURE.offer();
    note(owner, offer, "first");
    note(owner, offer, "second");
    assertThat(counts(owner)).containsEntry("OFFER", 1).containsEntry("NOTE", 1);
    assertThat(list(owner, Favorite.Kind.NOTE).getFavorites(0).getNote().getText())
        .isEqualTo("second");
    assertThat(list(owner, Favorite.Kind.OFFER).getFavorites(0).getOffer().getNote())
        .isEqualTo("second");
    FIXTURE.as(owner, DeleteNoteRequest.newBuilder().setId(offer).build(), FavoriteRpc::deleteNote);
    assertThat(counts(owner)).containsEntry("OFFER", 1).containsEntry("NOTE", 0);
  }

  @Test
  void note_tooLongOrUnknownOffer_isRefused() {
    String owner = newUser();
    assertThatThrownBy(() -> note(owner, FIXTURE.offer(), "ж".repeat(2049)))
        .isInstanceOf(Failure.class);
    assertThatThrownBy(() -> note(owner, OfferId.random(new Home(1)).toString(), "x"))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.NOT_FOUND));
  }

  @Test
  void collection_deleted_keepsOffers() {
    String owner = newUser();
    Collection collection = create(owner, "flats");
    addTo(owner, collection, FIXTURE.offers(4));
    FIXTURE.as(
        owner,
        DeleteCollectionRequest.newBuilder().setId(collection.getId()).build(),
        FavoriteRpc::deleteCollection);
    assertThat(counts(owner)).containsEntry("OFFER", 4).containsEntry("COLLECTION", 0);
    assertThat(list(owner, Favorite.Kind.OFFER).getFavorites(0).getOffer().getCollectionIdsList())
        .isEmpty();
  }

  @Test
  void collection_addAndRemove_sizeIsExact() {
    String owner = newUser();
    List<String> offers = FIXTURE.offers(5);
    Collection collection = create(owner, "c");
    addTo(owner, collection, offers);
    addTo(owner, collection, offers.subList(0, 2));
    FIXTURE.as(
        owner, inCollection(collection, offers.subList(0, 1)), FavoriteRpc::removeFromCollection);
    assertThat(collections(owner).getFirst().getSize()).isEqualTo(4);
    assertThat(collectionOffers(owner, collection)).hasSize(4).doesNotContain(offers.getFirst());
  }

  @Test
  void collection_name_isUniquePerOwnerAndBounded() {
    String owner = newUser();
    Collection first = create(owner, "mine");
    create(newUser(), "mine");
    assertThatThrownBy(() -> create(owner, " mine "))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.CONFLICT));
    assertThatThrownBy(() -> create(owner, " ")).isInstanceOf(Failure.class);
    assertThatThrownBy(() -> create(owner, "x".repeat(101))).isInstanceOf(Failure.class);
    Collection second = create(owner, "x".repeat(100));
    assertThatThrownBy(() -> rename(owner, second, "mine")).isInstanceOf(Failure.class);
    assertThat(rename(owner, first, "mine").getName()).isEqualTo("mine");
    assertThat(rename(owner, first, "ours").getName()).isEqualTo("ours");
    assertThat(rename(owner, second, "mine").getName()).isEqualTo("mine");
  }

  @Test
  void createCollection_sameIdempotencyKey_isTheSame() {
    String owner = newUser();
    CreateCollectionRequest request =
        CreateCollectionRequest.newBuilder().setName("n").setIdempotencyKey("k1").build();
    Collection first = FIXTURE.as(owner, request, FavoriteRpc::createCollection);
    Collection repeated = FIXTURE.as(owner, request, FavoriteRpc::createCollection);
    assertThat(repeated).isEqualTo(first);
    assertThat(counts(owner)).containsEntry("COLLECTION", 1);
  }

  @Test
  void list_pages_newestFirstAndStable() {
    String owner = newUser();
    List<String> offers = FIXTURE.offers(7);
    offers.forEach(offer -> FIXTURE.save(owner, List.of(offer)));
    ListFavoritesResponse first = page(owner, 3, "");
    FIXTURE.save(owner, List.of(FIXTURE.offer()));
    FIXTURE.remove(owner, List.of(offers.get(6)));
    List<String> seen = new ArrayList<>(idsOf(first));
    String token = first.getNextPageToken();
    while (!token.isEmpty()) {
      ListFavoritesResponse next = page(owner, 3, token);
      seen.addAll(idsOf(next));
      token = next.getNextPageToken();
    }
    assertThat(seen).containsExactlyElementsOf(offers.reversed());
  }

  @Test
  void list_createdAfter_isExclusive() {
    String owner = newUser();
    List<String> offers = FIXTURE.offers(3);
    offers.forEach(offer -> FIXTURE.save(owner, List.of(offer)));
    Favorite middle = list(owner, Favorite.Kind.OFFER).getFavorites(1);
    ListFavoritesRequest after =
        ListFavoritesRequest.newBuilder()
            .setKind(Favorite.Kind.OFFER)
            .setCreatedAfter(middle.getCreatedAt())
            .build();
    ListFavoritesResponse response = FIXTURE.as(owner, after, FavoriteRpc::listFavorites);
    assertThat(idsOf(response)).containsExactly(offers.get(2));
  }

  @Test
  void list_offerRemoved_isStillListedWithoutContent() {
    String owner = newUser();
    String offer = FIXTURE.offer();
    FIXTURE.save(owner, List.of(offer));
    assertThat(list(owner, Favorite.Kind.OFFER).getFavorites(0).getOffer().hasOffer()).isTrue();
    FIXTURE.offers.remove(OfferId.parse(offer));
    assertThat(list(owner, Favorite.Kind.OFFER).getFavorites(0).getOffer().hasOffer()).isFalse();
    FIXTURE.remove(owner, List.of(offer));
    assertThat(ids(owner, Favorite.Kind.OFFER)).isEmpty();
  }

  @Test
  void batchGet_reportsMissing() {
    String owner = newUser();
    String offer = FIXTURE.offer();
    FIXTURE.save(owner, List.of(offer));
    String other = FIXTURE.offer();
    BatchGetFavoritesResponse response =
        FIXTURE.as(
            owner,
            BatchGetFavoritesRequest.newBuilder()
                .setKind(Favorite.Kind.OFFER)
                .addIds(other)
                .addIds(offer)
                .build(),
            FavoriteRpc::batchGetFavorites);
    assertThat(response.getFavoritesList()).extracting(Favorite::getId).containsExactly(offer);
    assertThat(response.getMissingList()).containsExactly(other);
  }

  @Test
  void sellers_settings_areInstantByDefault() {
    String owner = newUser();
    AddSellersRequest follow =
        AddSellersRequest.newBuilder().addSellerIds("user:77").addSellerIds("a b").build();
    BatchResults results = FIXTURE.as(owner, follow, FavoriteRpc::addSellers);
    assertThat(results.getResultsList())
        .extracting(BatchResult::getCode)
        .containsExactly("OK", "INVALID");
    assertThat(delivery(owner)).isEqualTo(Delivery.INSTANT);
    DeliverySettings off =
        DeliverySettings.newBuilder().setDelivery(Delivery.OFF).addChannels("EMAIL").build();
    FIXTURE.as(
        owner,
        UpdateFavoriteSellerRequest.newBuilder().setId("user:77").setSettings(off).build(),
        FavoriteRpc::updateSeller);
    FIXTURE.as(owner, follow, FavoriteRpc::addSellers);
    assertThat(list(owner, Favorite.Kind.SELLER).getFavorites(0).getSeller().getSettings())
        .isEqualTo(off);
    FIXTURE.as(
        owner, SellerIds.newBuilder().addSellerIds("user:77").build(), FavoriteRpc::removeSellers);
    assertThat(counts(owner)).containsEntry("SELLER", 0);
    assertThat(FIXTURE.favoriteEvents(owner))
        .extracting(FavoriteEvent::getRemoved)
        .containsExactly(false, false, true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"email", "PIGEON", "", "a channel of any length"})
  void addSellers_unknownChannel_isInvalidAndSavesNothing(String channel) {
    String owner = newUser();
    AddSellersRequest follow =
        AddSellersRequest.newBuilder()
            .addSellerIds("user:77")
            .setSettings(DeliverySettings.newBuilder().addChannels("PUSH").addChannels(channel))
            .build();
    assertThatThrownBy(() -> FIXTURE.as(owner, follow, FavoriteRpc::addSellers))
        .isInstanceOfSatisfying(
            Failure.class,
            failure ->
                assertThat(failure.violations())
                    .extracting(Failure.Violation::field)
                    .containsExactly("settings.channels[1]"));
    assertThat(counts(owner)).containsEntry("SELLER", 0);
  }

  @Test
  void updateSeller_withoutSettings_isInvalid() {
    assertThatThrownBy(
            () ->
                FIXTURE.as(
                    newUser(),
                    UpdateFavoriteSellerRequest.newBuilder().setId("user:1").build(),
                    FavoriteRpc::updateSeller))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.INVALID));
  }

  @Test
  void block_andUnblock_areReadByRules() {
    String owner = newUser();
    BlockRequest seller = BlockRequest.newBuilder().setSeller("user:bad").build();
    FIXTURE.as(owner, seller, FavoriteRpc::blockSeller);
    assertThat(isBlocked(owner)).isTrue();
    FIXTURE.as(owner, seller, FavoriteRpc::unblockSeller);
    assertThat(isBlocked(owner)).isFalse();
  }

  private static boolean isBlocked(String owner) {
    AlertRuleKey key = new AlertRuleKey(owner, FavoriteKind.BLOCK, "user:bad");
    return FIXTURE.database.inTransaction(
        tx -> new AlertRuleStore().lockForShare(tx, List.of(key)).isBlocked(owner, "user:bad"));
  }

  private static Delivery delivery(String owner) {
    return list(owner, Favorite.Kind.SELLER)
        .getFavorites(0)
        .getSeller()
        .getSettings()
        .getDelivery();
  }

  private static BatchResults add(String owner, List<String> ids) {
    return FIXTURE.as(
        owner, OfferIds.newBuilder().addAllOfferIds(ids).build(), FavoriteRpc::addOffers);
  }

  private static void note(String owner, String offer, String text) {
    FIXTURE.as(
        owner,
        PutNoteRequest.newBuilder().setId(offer).setText(text).build(),
        FavoriteRpc::putNote);
  }

  private static Collection create(String owner, String name) {
    return FIXTURE.as(
        owner,
        CreateCollectionRequest.newBuilder().setName(name).build(),
        FavoriteRpc::createCollection);
  }

  private static Collection rename(String owner, Collection collection, String name) {
    return FIXTURE.as(
        owner,
        RenameCollectionRequest.newBuilder().setId(collection.getId()).setName(name).build(),
        FavoriteRpc::renameCollection);
  }

  private static void addTo(String owner, Collection collection, List<String> offers) {
    FIXTURE.as(owner, inCollection(collection, offers), FavoriteRpc::addToCollection);
  }

  private static CollectionOffersRequest inCollection(Collection collection, List<String> offers) {
    return CollectionOffersRequest.newBuilder()
        .setId(collection.getId())
        .addAllOfferIds(offers)
        .build();
  }

  private static List<Collection> collections(String owner) {
    ListCollectionsResponse page =
        FIXTURE.as(
            owner, ListCollectionsRequest.getDefaultInstance(), FavoriteRpc::listCollections);
    return page.getCollectionsList();
  }

  private static List<String> collectionOffers(String owner, Collection collection) {
    ListCollectionOffersResponse page =
        FIXTURE.as(
            owner,
            ListCollectionOffersRequest.newBuilder().setId(collection.getId()).build(),
            FavoriteRpc::listCollectionOffers);
    return page.getOffersList().stream().map(FavoriteOffer::getId).toList();
  }

  private static Map<String, Integer> counts(String owner) {
    FavoriteCounts counts =
        FIXTURE.as(
            owner, GetFavoriteCountsRequest.getDefaultInstance(), FavoriteRpc::getFavoriteCounts);
    return counts.getCountsMap();
  }

  private static BatchGetFavoritesResponse get(String owner, Favorite.Kind kind, String id) {
    return FIXTURE.as(
        owner,
        BatchGetFavoritesRequest.newBuilder().setKind(kind).addIds(id).build(),
        FavoriteRpc::batchGetFavorites);
  }

  private static ListFavoritesResponse list(String owner, Favorite.Kind kind) {
    return FIXTURE.as(
        owner, ListFavoritesRequest.newBuilder().setKind(kind).build(), FavoriteRpc::listFavorites);
  }

  private static ListFavoritesResponse page(String owner, int size, String token) {
    return FIXTURE.as(
        owner,
        ListFavoritesRequest.newBuilder()
            .setKind(Favorite.Kind.OFFER)
            .setPageSize(size)
            .setPageToken(token)
            .build(),
        FavoriteRpc::listFavorites);
  }

  private static List<String> ids(String owner, Favorite.Kind kind) {
    return idsOf(list(owner, kind));
  }

  private static List<String> idsOf(ListFavoritesResponse page) {
    return page.getFavoritesList().stream().map(Favorite::getId).toList();
  }
}
