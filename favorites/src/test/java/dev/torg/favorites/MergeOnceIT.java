package dev.torg.favorites;

import static dev.torg.favorites.FavoritesFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.torg.api.v1.BlockRequest;
import dev.torg.api.v1.Collection;
import dev.torg.api.v1.CollectionOffersRequest;
import dev.torg.api.v1.DeleteCollectionRequest;
import dev.torg.api.v1.DeleteNoteRequest;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.RenameCollectionRequest;
import dev.torg.api.v1.SearchIds;
import dev.torg.api.v1.SellerIds;
import dev.torg.favorites.merge.LoginMergeProcess;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.favorites.write.FavoritesMergeStep;
import dev.torg.platform.Home;
import dev.torg.testkit.TestDatabase;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A page of a login merge that is merged a second time must not restore what the login has removed since the
/// first time.
class MergeOnceIT {
  @RegisterExtension static final TestDatabase TABLES = FavoritesFixture.tables();

  private static final FavoritesFixture FIXTURE = new FavoritesFixture(TABLES);
  private static final String SELLER = "user:seller";

  private final String anonymous = FIXTURE.tokens.issueAnonymous().subject();
  private final String login = newUser();
  private final List<String> offers = FIXTURE.offers(3);

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  /// The process ends here.
  private static final class Crash extends RuntimeException {}

  /// Favorites of every kind that an anonymous identity can have.
  private enum Item {
    OFFER(1),
    SEARCH(2),
    SELLER(3),
    NOTE(4),
    COLLECTION(5),
    BLOCK(6),
    COLLECTION_OFFER(0);

    private final int kind;

    Item(int kind) {
      this.kind = kind;
    }

    int count(String owner) {
      String sql =
          this == COLLECTION_OFFER
              ? "SELECT count(*) FROM collection_offer WHERE home = ? AND owner = ?"
              : "SELECT count(*) FROM favorite WHERE home = ? AND owner = ? AND kind = " + kind;
      return FIXTURE.database.read(
          tx ->
              tx.sql(sql)
                  .set(Home.of(owner))
                  .set(owner)
                  .first(row -> (int) row.longAt(1))
                  .orElse(0));
    }
  }

  @ParameterizedTest
  @EnumSource
  void resume_crashedAfterMerge_whatTheLoginRemovedStaysRemoved(Item item) {
    add(anonymous);
    LoginMergeProcess dying = process(2, () -> crashOnce(item));
    assertThatThrownBy(() -> dying.merge(anonymous, login)).isInstanceOf(Crash.class);
    remove(item);
    process(2, () -> {}).loginOf(anonymous);
    assertMergedWithout(item);
  }

  private void crashOnce(Item item) {
    if (item.count(login) > 0) {
      throw new Crash();
    }
  }

  /// One process stops between merging a page and removing it, while another one does the whole merge.
  @ParameterizedTest
  @EnumSource
  void merge_overtakenByAnotherProcess_whatTheLoginRemovedStaysRemoved(Item item) {
    add(anonymous);
    AtomicBoolean overtaken = new AtomicBoolean();
    Runnable overtake =
        () -> {
          if (item.count(login) > 0 && overtaken.compareAndSet(false, true)) {
            remove(item);
            process(2, () -> {}).loginOf(anonymous);
          }
        };
    process(2, overtake).merge(anonymous, login);
    assertThat(overtaken).isTrue();
    assertMergedWithout(item);
  }

  private void assertMergedWithout(Item item) {
    assertThat(item.count(login)).isZero();
    for (Item any : Item.values()) {
      assertThat(any.count(anonymous)).as(any.name()).isZero();
    }
  }

  @Test
  void resume_crashedAfterMerge_createsNoSecondEvents() {
    add(anonymous);
    LoginMergeProcess dying = process(2, () -> crashOnce(Item.SELLER));
    assertThatThrownBy(() -> dying.merge(anonymous, login)).isInstanceOf(Crash.class);
    remove(Item.SELLER);
    process(2, () -> {}).loginOf(anonymous);
    assertThat(FIXTURE.favoriteEvents(login))
        .filteredOn(event -> event.getId().equals(SELLER))
        .extracting(FavoriteEvent::getAdded)
        .containsExactly(true, false);
  }

  @Test
  void resume_removedAndAddedAgain_keepsTheNewTimeAndSettings() {
    FIXTURE.follow(anonymous, SELLER, Delivery.OFF);
    LoginMergeProcess dying = process(2, () -> crashOnce(Item.SELLER));
    assertThatThrownBy(() -> dying.merge(anonymous, login)).isInstanceOf(Crash.class);
    remove(Item.SELLER);
    FIXTURE.follow(login, SELLER, Delivery.DAILY);
    Favorite followed = FIXTURE.list(login, Favorite.Kind.SELLER).getFirst();
    process(2, () -> {}).loginOf(anonymous);
    assertThat(FIXTURE.list(login, Favorite.Kind.SELLER)).containsExactly(followed);
  }

  @Test
  void merge_collectionDeletedBetweenItsPages_staysDeleted() {
    FIXTURE.addToCollection(anonymous, FIXTURE.create(anonymous, "holidays"), offers);
    process(2, () -> deleteCollectionOf(2)).merge(anonymous, login);
    assertThat(Item.COLLECTION.count(login)).isZero();
    assertThat(Item.COLLECTION_OFFER.count(login)).isZero();
    assertThat(Item.OFFER.count(login)).isEqualTo(3);
    assertThat(FIXTURE.count(login, Favorite.Kind.COLLECTION)).isZero();
  }

  private void deleteCollectionOf(int size) {
    if (Item.COLLECTION_OFFER.count(login) == size) {
      remove(Item.COLLECTION);
    }
  }

  /// Its offers are added to the collection that received the first of them, whatever its current name.
  @Test
  void merge_collectionRenamedBetweenItsPages_addsTheOtherOffersToo() {
    String own = FIXTURE.create(login, "holidays").getId();
    FIXTURE.addToCollection(anonymous, FIXTURE.create(anonymous, "holidays"), offers);
    AtomicBoolean renamed = new AtomicBoolean();
    Runnable rename =
        () -> {
          if (Item.COLLECTION_OFFER.count(login) == 2 && renamed.compareAndSet(false, true)) {
            FIXTURE.as(
                login,
                RenameCollectionRequest.newBuilder().setId(own).setName("summer").build(),
                FavoriteRpc::renameCollection);
          }
        };
    process(2, rename).merge(anonymous, login);
    assertThat(FIXTURE.list(login, Favorite.Kind.COLLECTION))
        .extracting(Favorite::getCollection)
        .extracting(Collection::getId, Collection::getName, Collection::getSize)
        .containsExactly(tuple(own, "summer", 3));
  }

  /// Two processes merge page by page while the login removes everything that arrives.
  @Test
  void merge_twoProcessesAndALoginThatRemoves_removedStaysRemoved() {
    FIXTURE.save(anonymous, FIXTURE.offers(60));
    CompletableFuture<Void> movers =
        CompletableFuture.allOf(startMerge(1), startMerge(2)).orTimeout(60, TimeUnit.SECONDS);
    Set<String> removed = new HashSet<>();
    while (!movers.isDone()) {
      List<String> favorites = FIXTURE.ids(login, Favorite.Kind.OFFER);
      if (!favorites.isEmpty()) {
        FIXTURE.remove(login, favorites);
        removed.addAll(favorites);
      }
    }
    movers.join();
    assertThat(removed).isNotEmpty();
    assertThat(FIXTURE.ids(login, Favorite.Kind.OFFER)).doesNotContainAnyElementsOf(removed);
    assertThat(removed.size() + FIXTURE.count(login, Favorite.Kind.OFFER)).isEqualTo(60);
  }

  private CompletableFuture<Void> startMerge(int page) {
    return CompletableFuture.runAsync(() -> process(page, () -> {}).merge(anonymous, login));
  }

  private LoginMergeProcess process(int page, Runnable betweenTransactions) {
    FavoritesMergeStep favorites =
        new FavoritesMergeStep(
            FIXTURE.database, FIXTURE.store(), FIXTURE.clock, betweenTransactions, page);
    return new LoginMergeProcess(
        FIXTURE.database,
        List.of(LoginMergeStep.named("favorites", favorites::page)),
        FIXTURE.clock);
  }

  /// One of each kind.
  private void add(String owner) {
    String offer = offers.getFirst();
    FIXTURE.note(owner, offer, "call them");
    FIXTURE.search(owner, "cars", "cars");
    FIXTURE.follow(owner, SELLER, Delivery.DAILY);
    FIXTURE.addToCollection(owner, FIXTURE.create(owner, "holidays"), List.of(offer));
    FIXTURE.as(owner, block(), FavoriteRpc::blockSeller);
  }

  private void remove(Item item) {
    switch (item) {
      case OFFER -> FIXTURE.remove(login, offers);
      case SEARCH ->
          FIXTURE.as(
              login,
              SearchIds.newBuilder()
                  .addAllSearchIds(FIXTURE.ids(login, Favorite.Kind.SEARCH))
                  .build(),
              FavoriteRpc::removeSearches);
      case SELLER ->
          FIXTURE.as(
              login,
              SellerIds.newBuilder().addSellerIds(SELLER).build(),
              FavoriteRpc::removeSellers);
      case NOTE ->
          FIXTURE.as(
              login,
              DeleteNoteRequest.newBuilder().setId(offers.getFirst()).build(),
              FavoriteRpc::deleteNote);
      case COLLECTION ->
          FIXTURE.as(
              login,
              DeleteCollectionRequest.newBuilder().setId(collection()).build(),
              FavoriteRpc::deleteCollection);
      case COLLECTION_OFFER ->
          FIXTURE.as(
              login,
              CollectionOffersRequest.newBuilder()
                  .setId(collection())
                  .addAllOfferIds(offers)
                  .build(),
              FavoriteRpc::removeFromCollection);
      case BLOCK -> FIXTURE.as(login, block(), FavoriteRpc::unblockSeller);
    }
  }

  private String collection() {
    return FIXTURE.ids(login, Favorite.Kind.COLLECTION).getFirst();
  }

  private static BlockRequest block() {
    return BlockRequest.newBuilder().setSeller("user:blocked").build();
  }
}
