package dev.torg.favorites;

import static dev.torg.favorites.FavoritesFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.AddSellersRequest;
import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteSeller;
import dev.torg.api.v1.ListFavoritesRequest;
import dev.torg.api.v1.ListFavoritesResponse;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.SaveSearchRequest;
import dev.torg.api.v1.SavedSearch;
import dev.torg.api.v1.SearchQuery;
import dev.torg.api.v1.SellerIds;
import dev.torg.favorites.AlertRules.PriceUpdate;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.favorites.write.AlertRuleStore;
import dev.torg.platform.Home;
import dev.torg.queries.PriceHash;
import dev.torg.testkit.TestDatabase;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AlertRulesIT {
  @RegisterExtension static final TestDatabase TABLES = FavoritesFixture.tables();

  private static final FavoritesFixture FIXTURE = new FavoritesFixture(TABLES);
  private static final AlertRules RULES = new AlertRuleStore();

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @Test
  void lockForShare_onlyExistingRules_areReturned() {
    String recipient = newUser();
    String offer = FIXTURE.offer(500);
    FIXTURE.save(recipient, List.of(offer));
    follow(recipient, "user:s");
    AlertRuleKey saved = new AlertRuleKey(recipient, FavoriteKind.OFFER, offer);
    AlertRuleKey followed = new AlertRuleKey(recipient, FavoriteKind.SELLER, "user:s");
    AlertRuleKey never = new AlertRuleKey(recipient, FavoriteKind.SELLER, "user:t");
    AlertRuleKey notFollowed =
        new AlertRuleKey(FIXTURE.newUserOfShard(recipient), FavoriteKind.SELLER, "user:s");
    LockedAlertRules locked =
        FIXTURE.database.inTransaction(
            tx -> RULES.lockForShare(tx, List.of(saved, followed, never, notFollowed)));
    assertThat(locked.rules()).containsOnlyKeys(saved, followed);
    assertThat(locked.mergedInto()).isEmpty();
    assertThat(locked.rule(saved).orElseThrow().priceHash()).isEqualTo(hash(500));
  }

  /// An earlier version accepted channel names of any length, and alerts read the rules of thousands of
  /// recipients at once.
  @Test
  void lockForShare_oversizedBody_isReadWithoutIt() {
    String recipient = newUser();
    follow(recipient, "user:s");
    AlertRuleKey followed = new AlertRuleKey(recipient, FavoriteKind.SELLER, "user:s");
    byte[] body =
        FavoriteSeller.newBuilder()
            .setSettings(DeliverySettings.newBuilder().addChannels("a".repeat(8_000_000)))
            .build()
            .toByteArray();
    FIXTURE.database.inTransaction(
        tx ->
            tx.sql("UPDATE favorite SET body = ? WHERE home = ? AND owner = ? AND kind = 3")
                .set(body)
                .set(Home.of(recipient))
                .set(recipient)
                .update());
    LockedAlertRules locked =
        FIXTURE.database.inTransaction(tx -> RULES.lockForShare(tx, List.of(followed)));
    assertThat(locked.rule(followed).orElseThrow().channels()).isEmpty();
  }

  /// While a transaction holds a recipient's rules, the recipient's removal waits; after it, the rule no
  /// longer exists.
  @Test
  void lockForShare_concurrentRemoval_waits() throws Exception {
    String recipient = newUser();
    follow(recipient, "user:s");
    AlertRuleKey key = new AlertRuleKey(recipient, FavoriteKind.SELLER, "user:s");
    CountDownLatch lockHeld = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    CompletableFuture<Boolean> teller =
        CompletableFuture.supplyAsync(
            () ->
                FIXTURE.database.inTransaction(
                    tx -> {
                      RULES.lockForShare(tx, List.of(key));
                      lockHeld.countDown();
                      await(done);
                      return RULES.rules(tx, List.of(key)).containsKey(key);
                    }));
    lockHeld.await();
    CompletableFuture<Void> removal =
        CompletableFuture.runAsync(() -> unfollow(recipient, "user:s"));
    done.countDown();
    assertThat(teller.join()).isTrue();
    removal.join();
    assertThat(FIXTURE.database.inTransaction(tx -> RULES.lockForShare(tx, List.of(key))).rules())
        .isEmpty();
  }

  @Test
  void updateKnownPrices_onlyNewerAndDifferent_once() {
    String recipient = newUser();
    String offer = FIXTURE.offer(1000);
    FIXTURE.save(recipient, List.of(offer));
    assertThat(recordNotified(recipient, offer, 1000, 2)).isFalse();
    assertThat(recordNotified(recipient, offer, 900, 3)).isTrue();
    assertThat(recordNotified(recipient, offer, 900, 3)).isFalse();
    assertThat(recordNotified(recipient, offer, 800, 2)).isFalse();
    assertThat(recordNotified(recipient, offer, 1000, 4)).isTrue();
    assertThat(recordNotified(newUser(), offer, 1, 9)).isFalse();
  }

  @Test
  void updateKnownPrices_twoAtOnce_oneUpdates() {
    String recipient = newUser();
    String offer = FIXTURE.offer(1000);
    FIXTURE.save(recipient, List.of(offer));
    List<CompletableFuture<Boolean>> tellers =
        java.util.stream.IntStream.range(0, 6)
            .mapToObj(
                _ -> CompletableFuture.supplyAsync(() -> recordNotified(recipient, offer, 700, 5)))
            .toList();
    assertThat(tellers.stream().filter(CompletableFuture::join).count()).isEqualTo(1);
  }

  @Test
  void countMatches_isReturnedWithTheSavedSearch() {
    String recipient = newUser();
    SearchQuery query = SearchQuery.newBuilder().setCategory("cars").build();
    SavedSearch search =
        FIXTURE.as(
            recipient,
            SaveSearchRequest.newBuilder().setQuery(query).build(),
            FavoriteRpc::saveSearch);
    AlertRuleKey key = new AlertRuleKey(recipient, FavoriteKind.SEARCH, search.getSearchId());
    Instant at = Instant.parse("2026-06-01T00:00:00Z");
    FIXTURE.database.transact(
        tx -> {
          RULES.lockForShare(tx, List.of(key));
          RULES.countMatches(tx, List.of(key, key), at);
        });
    ListFavoritesResponse page =
        FIXTURE.as(
            recipient,
            ListFavoritesRequest.newBuilder().setKind(Favorite.Kind.SEARCH).build(),
            FavoriteRpc::listFavorites);
    SavedSearch shown = page.getFavorites(0).getSearch();
    assertThat(shown.getNewMatches()).isEqualTo(2);
    assertThat(shown.getLastNotifiedAt().getSeconds()).isEqualTo(at.getEpochSecond());
  }

  private static boolean recordNotified(String recipient, String offer, long price, long version) {
    PriceUpdate update = new PriceUpdate(recipient, offer, hash(price), version);
    return FIXTURE.database.inTransaction(
        tx -> {
          RULES.lockForShare(tx, List.of(new AlertRuleKey(recipient, FavoriteKind.OFFER, offer)));
          return !RULES.updateKnownPrices(tx, List.of(update)).isEmpty();
        });
  }

  private static long hash(long amount) {
    return PriceHash.of(Money.newBuilder().setAmount(amount).setCurrency("EUR").build());
  }

  private static void follow(String owner, String seller) {
    FIXTURE.as(
        owner,
        AddSellersRequest.newBuilder().addSellerIds(seller).build(),
        FavoriteRpc::addSellers);
  }

  private static void unfollow(String owner, String seller) {
    FIXTURE.as(
        owner, SellerIds.newBuilder().addSellerIds(seller).build(), FavoriteRpc::removeSellers);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
