package dev.torg.favorites;

import static dev.torg.favorites.FavoritesFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.AddSellersRequest;
import dev.torg.api.v1.BatchResult;
import dev.torg.api.v1.BatchResults;
import dev.torg.api.v1.BlockRequest;
import dev.torg.api.v1.Collection;
import dev.torg.api.v1.CollectionOffersRequest;
import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.MoveFromAnonymousRequest;
import dev.torg.api.v1.OfferIds;
import dev.torg.api.v1.SellerIds;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.platform.Failure;
import dev.torg.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FavoriteLimitsIT {
  @RegisterExtension static final TestDatabase TABLES = FavoritesFixture.tables();

  private static final FavoriteSettings SMALL =
      FavoriteSettings.defaults()
          .withLimits(
              new FavoriteLimits(4, 3, 3, 2, 2, 2, 3), new FavoriteLimits(2, 1, 1, 1, 1, 1, 1));

  private static final FavoritesFixture FIXTURE = new FavoritesFixture(TABLES, SMALL);

  /// Another process on the same database.
  private static final FavoritesFixture OTHER = new FavoritesFixture(TABLES, SMALL);

  private final String owner = newUser();

  @AfterAll
  static void close() {
    FIXTURE.close();
    OTHER.close();
  }

  @Test
  void addOffers_beyondTheLimit_refusesOnlyThoseAndKeepsTheOthers() {
    List<String> offers = FIXTURE.offers(6);
    assertThat(addOffers(owner, offers))
        .containsExactly("OK", "OK", "OK", "OK", "EXHAUSTED", "EXHAUSTED");
    assertThat(addOffers(owner, offers.subList(3, 5))).containsExactly("OK", "EXHAUSTED");
    assertThat(FIXTURE.ids(owner, Favorite.Kind.OFFER))
        .containsExactlyInAnyOrderElementsOf(offers.subList(0, 4));
    assertThat(FIXTURE.count(owner, Favorite.Kind.OFFER)).isEqualTo(4);
    FIXTURE.remove(owner, offers.subList(0, 1));
    assertThat(addOffers(owner, offers.subList(4, 5))).containsExactly("OK");
  }

  @Test
  void addOffers_mixedBatch_givesEachItemItsOwnCode() {
    List<String> offers = FIXTURE.offers(5);
    String unknown = OTHER.offer();
    List<String> ids = new ArrayList<>(offers);
    ids.add(1, "lamp");
    ids.add(2, unknown);
    assertThat(addOffers(owner, ids))
        .containsExactly("OK", "INVALID", "NOT_FOUND", "OK", "OK", "OK", "EXHAUSTED");
  }

  @Test
  void addToCollection_beyondTheLimit_refusesOnlyThose() {
    List<String> offers = FIXTURE.offers(5);
    Collection collection = FIXTURE.create(owner, "full");
    assertThat(addToCollection(owner, collection, offers.subList(0, 4)))
        .containsExactly("OK", "OK", "OK", "EXHAUSTED");
    assertThat(addToCollection(owner, collection, offers.subList(2, 4)))
        .containsExactly("OK", "EXHAUSTED");
    Collection second = FIXTURE.create(owner, "second");
    assertThat(addToCollection(owner, second, offers.subList(3, 5)))
        .containsExactly("OK", "EXHAUSTED");
    assertThat(FIXTURE.list(owner, Favorite.Kind.COLLECTION))
        .extracting(favorite -> favorite.getCollection().getSize())
        .containsExactlyInAnyOrder(3, 1);
    assertThat(FIXTURE.count(owner, Favorite.Kind.OFFER)).isEqualTo(4);
  }

  @Test
  void block_beyondTheLimit_isRefusedUntilOneIsRemoved() {
    block("user:a");
    block("user:b");
    block("user:b");
    assertRefused(() -> block("user:c"), "at most 2 blocked sellers");
    FIXTURE.as(owner, blockRequest("user:a"), FavoriteRpc::unblockSeller);
    block("user:c");
  }

  @Test
  void anonymous_hasLowerLimits() {
    String anonymous = FIXTURE.tokens.issueAnonymous().subject();
    assertThat(addOffers(anonymous, FIXTURE.offers(3))).containsExactly("OK", "OK", "EXHAUSTED");
    FIXTURE.search(anonymous, "cars", "");
    assertRefused(() -> FIXTURE.search(anonymous, "jobs", ""), "at most 1 saved searches");
  }

  /// Two processes, many concurrent calls of one user: the last favorite within the limit is saved once.
  @Test
  void addSellers_manyAtOnce_neverExceedTheLimit() {
    List<CompletableFuture<List<String>>> calls =
        IntStream.range(0, 40)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () ->
                            follow(
                                i % 2 == 0 ? FIXTURE : OTHER,
                                owner,
                                List.of("s" + i),
                                Delivery.INSTANT)))
            .toList();
    List<String> codes = calls.stream().flatMap(call -> call.join().stream()).toList();
    assertThat(codes).filteredOn("OK"::equals).hasSize(3);
    assertThat(codes).filteredOn("EXHAUSTED"::equals).hasSize(37);
    assertThat(FIXTURE.ids(owner, Favorite.Kind.SELLER)).hasSize(3);
    assertThat(FIXTURE.count(owner, Favorite.Kind.SELLER)).isEqualTo(3);
  }

  /// Nothing is lost at login; but then nothing can be added until enough was removed.
  @Test
  void merge_raisesLoginAboveTheLimit_keepsAllAndRefusesMore() {
    var token = FIXTURE.tokens.issueAnonymous();
    addOffers(token.subject(), FIXTURE.offers(2));
    follow(FIXTURE, token.subject(), List.of("brought"), Delivery.DAILY);
    addOffers(owner, FIXTURE.offers(4));
    follow(FIXTURE, owner, List.of("a", "b", "c"), Delivery.DAILY);
    merge(token.token());
    assertThat(FIXTURE.count(owner, Favorite.Kind.OFFER)).isEqualTo(6);
    assertThat(FIXTURE.count(owner, Favorite.Kind.SELLER)).isEqualTo(4);
    assertThat(addOffers(owner, FIXTURE.offers(1))).containsExactly("EXHAUSTED");
    unfollow("a");
    assertThat(follow(FIXTURE, owner, List.of("d"), Delivery.DAILY)).containsExactly("EXHAUSTED");
    unfollow("b");
    assertThat(follow(FIXTURE, owner, List.of("d"), Delivery.DAILY)).containsExactly("OK");
  }

  /// Any number of anonymous identities must not raise a login without bound. Nothing of the refused one is
  /// lost.
  @Test
  void merge_loginAboveALimit_isRefusedUntilEnoughIsRemoved() {
    addOffers(owner, FIXTURE.offers(4));
    List<String> first = FIXTURE.offers(2);
    var earlier = FIXTURE.tokens.issueAnonymous();
    addOffers(earlier.subject(), first);
    merge(earlier.token());
    var further = FIXTURE.tokens.issueAnonymous();
    addOffers(further.subject(), FIXTURE.offers(2));
    assertRefused(() -> merge(further.token()), "at most 4 saved offers");
    assertThat(FIXTURE.count(further.subject(), Favorite.Kind.OFFER)).isEqualTo(2);
    merge(earlier.token());
    FIXTURE.remove(owner, first);
    merge(further.token());
    assertThat(FIXTURE.count(owner, Favorite.Kind.OFFER)).isEqualTo(6);
  }

  private void merge(String anonymousToken) {
    FIXTURE.as(
        owner,
        MoveFromAnonymousRequest.newBuilder().setAnonymousToken(anonymousToken).build(),
        FavoriteRpc::moveFromAnonymous);
  }

  private static void assertRefused(ThrowingCallable call, String named) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(Failure.Kind.EXHAUSTED);
              assertThat(failure.code()).isEqualTo("favorites.limit");
            })
        .hasMessageContaining(named);
  }

  private static List<String> addOffers(String owner, List<String> ids) {
    OfferIds request = OfferIds.newBuilder().addAllOfferIds(ids).build();
    return codes(FIXTURE.as(owner, request, FavoriteRpc::addOffers));
  }

  private static List<String> follow(
      FavoritesFixture process, String owner, List<String> sellers, Delivery delivery) {
    AddSellersRequest request =
        AddSellersRequest.newBuilder()
            .addAllSellerIds(sellers)
            .setSettings(DeliverySettings.newBuilder().setDelivery(delivery))
            .build();
    return codes(process.as(owner, request, FavoriteRpc::addSellers));
  }

  private void unfollow(String seller) {
    SellerIds request = SellerIds.newBuilder().addSellerIds(seller).build();
    FIXTURE.as(owner, request, FavoriteRpc::removeSellers);
  }

  private static List<String> addToCollection(
      String owner, Collection collection, List<String> ids) {
    CollectionOffersRequest request =
        CollectionOffersRequest.newBuilder().setId(collection.getId()).addAllOfferIds(ids).build();
    return codes(FIXTURE.as(owner, request, FavoriteRpc::addToCollection));
  }

  private void block(String seller) {
    FIXTURE.as(owner, blockRequest(seller), FavoriteRpc::blockSeller);
  }

  private static BlockRequest blockRequest(String seller) {
    return BlockRequest.newBuilder().setSeller(seller).build();
  }

  private static List<String> codes(BatchResults results) {
    return results.getResultsList().stream().map(BatchResult::getCode).toList();
  }
}
