package dev.torg.favorites;

import static dev.torg.favorites.FavoritesFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.BlockRequest;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.MoveFromAnonymousRequest;
import dev.torg.api.v1.MoveFromAnonymousResponse;
import dev.torg.favorites.merge.LoginMergeProcess;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.favorites.write.AlertRuleStore;
import dev.torg.favorites.write.FavoritesMergeStep;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.identity.IssuedToken;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FavoritesLoginMergeIT {
  @RegisterExtension static final TestDatabase TABLES = FavoritesFixture.tables();

  private static final FavoritesFixture FIXTURE = new FavoritesFixture(TABLES);

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @AfterEach
  void resetSteps() {
    FIXTURE.mergeSteps.clear();
  }

  /// The process ends here.
  private static final class Crash extends RuntimeException {}

  /// Two identities with conflicting favorites, and the expected result.
  private static final class Couple {
    final IssuedToken token = FIXTURE.tokens.issueAnonymous();
    final String anonymous = token.subject();
    final String login = newUser();
    final List<String> offers = FIXTURE.offers(5);

    Couple() {
      FIXTURE.save(anonymous, offers.subList(0, 4));
      FIXTURE.save(login, offers.subList(3, 5));
      FIXTURE.note(anonymous, offers.get(0), "from anonymous");
      FIXTURE.note(anonymous, offers.get(3), "clash");
      FIXTURE.note(login, offers.get(3), "mine");
      FIXTURE.follow(anonymous, "user:a", Delivery.DAILY);
      FIXTURE.follow(anonymous, "user:b", Delivery.OFF);
      FIXTURE.follow(login, "user:b", Delivery.INSTANT);
      FIXTURE.search(anonymous, "cars", "anonymous cars");
      FIXTURE.search(login, "cars", "my cars");
      FIXTURE.search(anonymous, "jobs", "jobs");
      FIXTURE.addToCollection(anonymous, FIXTURE.create(anonymous, "shared"), offers.subList(0, 4));
      FIXTURE.addToCollection(login, FIXTURE.create(login, "shared"), offers.subList(3, 5));
      FIXTURE.addToCollection(
          anonymous, FIXTURE.create(anonymous, "only there"), offers.subList(1, 2));
    }

    void assertMerged() {
      assertThat(FIXTURE.ids(login, Favorite.Kind.OFFER))
          .containsExactlyInAnyOrderElementsOf(offers);
      assertThat(FIXTURE.ids(login, Favorite.Kind.SELLER))
          .containsExactlyInAnyOrder("user:a", "user:b");
      Map<String, Delivery> delivery = new HashMap<>();
      FIXTURE
          .list(login, Favorite.Kind.SELLER)
          .forEach(f -> delivery.put(f.getId(), f.getSeller().getSettings().getDelivery()));
      assertThat(delivery).isEqualTo(Map.of("user:a", Delivery.DAILY, "user:b", Delivery.INSTANT));
      Map<String, String> notes = new HashMap<>();
      FIXTURE
          .list(login, Favorite.Kind.NOTE)
          .forEach(f -> notes.put(f.getId(), f.getNote().getText()));
      assertThat(notes).isEqualTo(Map.of(offers.get(0), "from anonymous", offers.get(3), "mine"));
      assertThat(FIXTURE.list(login, Favorite.Kind.SEARCH))
          .extracting(f -> f.getSearch().getName())
          .containsExactlyInAnyOrder("my cars", "jobs");
      Map<String, Integer> sizes = new TreeMap<>();
      FIXTURE
          .list(login, Favorite.Kind.COLLECTION)
          .forEach(f -> sizes.put(f.getCollection().getName(), f.getCollection().getSize()));
      assertThat(sizes).isEqualTo(Map.of("shared", 5, "only there", 1));
      for (Favorite.Kind kind : KINDS) {
        assertThat(FIXTURE.list(anonymous, kind)).isEmpty();
        assertThat(FIXTURE.count(anonymous, kind)).isZero();
        assertThat(FIXTURE.count(login, kind)).isEqualTo(FIXTURE.list(login, kind).size());
      }
    }
  }

  private static final List<Favorite.Kind> KINDS =
      List.of(
          Favorite.Kind.OFFER,
          Favorite.Kind.SEARCH,
          Favorite.Kind.SELLER,
          Favorite.Kind.NOTE,
          Favorite.Kind.COLLECTION);

  @Test
  void merge_conflicts_areResolvedAndAnonymousSideIsEmpty() {
    Couple couple = new Couple();
    Favorite anonymousOffer =
        FIXTURE.list(couple.anonymous, Favorite.Kind.OFFER).stream()
            .filter(f -> f.getId().equals(couple.offers.get(3)))
            .findFirst()
            .orElseThrow();
    MoveFromAnonymousResponse response = merge(couple.login, couple.token.token());
    couple.assertMerged();
    assertThat(response.getMovedMap())
        .isEqualTo(Map.of("OFFER", 4, "SEARCH", 2, "SELLER", 2, "NOTE", 2, "COLLECTION", 2));
    assertThat(FIXTURE.list(couple.login, Favorite.Kind.OFFER))
        .filteredOn(f -> f.getId().equals(couple.offers.get(3)))
        .extracting(Favorite::getCreatedAt)
        .containsExactly(anonymousOffer.getCreatedAt());
  }

  @Test
  void merge_again_returnsTheSame() {
    Couple couple = new Couple();
    MoveFromAnonymousResponse first = merge(couple.login, couple.token.token());
    assertThat(merge(couple.login, couple.token.token())).isEqualTo(first);
    couple.assertMerged();
  }

  @Test
  void merge_intoAnotherLogin_isRefused() {
    Couple couple = new Couple();
    merge(couple.login, couple.token.token());
    assertThatThrownBy(() -> merge(newUser(), couple.token.token()))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.CONFLICT));
  }

  @Test
  void merge_withoutBothTokens_isRefused() {
    IssuedToken anonymous = FIXTURE.tokens.issueAnonymous();
    assertThatThrownBy(() -> merge(newUser(), "not a token")).isInstanceOf(Failure.class);
    assertThatThrownBy(() -> merge(newUser(), FIXTURE.tokens.issueUser("user:1").token()))
        .isInstanceOf(Failure.class);
    assertThatThrownBy(() -> merge(anonymous.subject(), anonymous.token()))
        .isInstanceOf(Failure.class);
  }

  @Test
  void merge_started_refusesWritesOfTheAnonymousSide() {
    IssuedToken anonymous = FIXTURE.tokens.issueAnonymous();
    String login = newUser();
    FIXTURE.mergeSteps.add(
        LoginMergeStep.named(
            "failing-write",
            (from, to) -> {
              assertThatThrownBy(() -> FIXTURE.save(from, FIXTURE.offers(1)))
                  .isInstanceOfSatisfying(
                      Failure.class, f -> assertThat(f.code()).isEqualTo("identity.moved"));
              assertThat(lockForShare(from).mergedInto()).isEqualTo(Map.of(from, login));
              return false;
            }));
    merge(login, anonymous.token());
    assertThatThrownBy(() -> FIXTURE.save(anonymous.subject(), FIXTURE.offers(1)))
        .isInstanceOf(Failure.class);
    assertThat(FIXTURE.loginMerge.merges().loginOf(anonymous.subject())).contains(login);
    assertThat(FIXTURE.loginMerge.merges().loginOf(login)).isEmpty();
  }

  /// Ends the process after each of its transactions in turn; another process continues each time.
  @Test
  void merge_crashedAfterEveryTransaction_hasTheSameResult() {
    int crashes = 0;
    boolean crashed = true;
    for (int at = 1; crashed; at++) {
      Couple couple = new Couple();
      crashed = crashesAt(couple, at);
      LoginMergeProcess next = process(() -> {}, 2);
      next.merge(couple.anonymous, couple.login);
      couple.assertMerged();
      crashes += crashed ? 1 : 0;
    }
    assertThat(crashes).isGreaterThan(10);
  }

  /// Otherwise the login would be notified of a blocked seller by a search that is already merged.
  @Test
  void merge_crashedAfterItsFirstPage_hasMergedTheBlocks() {
    Couple couple = new Couple();
    BlockRequest blocked = BlockRequest.newBuilder().setSeller("user:bad").build();
    FIXTURE.as(couple.anonymous, blocked, FavoriteRpc::blockSeller);
    assertThat(crashesAt(couple, 2)).isTrue();
    AlertRuleKey rule = new AlertRuleKey(couple.login, FavoriteKind.BLOCK, "user:bad");
    LockedAlertRules locked =
        FIXTURE.database.inTransaction(tx -> new AlertRuleStore().lockForShare(tx, List.of(rule)));
    assertThat(locked.isBlocked(couple.login, "user:bad")).isTrue();
  }

  /// Crashes repeatedly, each time at another point, until it completes.
  @Test
  void merge_crashedManyTimes_completes() {
    Couple couple = new Couple();
    Random random = new Random(11);
    int crashes = 0;
    while (crashesAt(couple, random.nextInt(1, 6))) {
      crashes++;
    }
    assertThat(crashes).isGreaterThan(3);
    couple.assertMerged();
  }

  @Test
  void merge_twoConcurrently_hasTheSameResult() {
    Couple couple = new Couple();
    List<CompletableFuture<Void>> movers =
        List.of(
            CompletableFuture.runAsync(
                () -> process(() -> {}, 1).merge(couple.anonymous, couple.login)),
            CompletableFuture.runAsync(
                () -> process(() -> {}, 2).merge(couple.anonymous, couple.login)));
    movers.forEach(CompletableFuture::join);
    couple.assertMerged();
  }

  @Test
  void merge_events_updateProjections() {
    Couple couple = new Couple();
    FIXTURE.project();
    merge(couple.login, couple.token.token());
    FIXTURE.project();
    for (String offer : couple.offers) {
      assertThat(FIXTURE.wiring.audiences().savers(OfferId.parse(offer), "", 10))
          .extracting(Audiences.Member::owner)
          .containsExactly(couple.login);
      assertThat(FIXTURE.wiring.audiences().saveCount(OfferId.parse(offer))).isEqualTo(1);
    }
  }

  /// The backfill must start from the older time.
  @Test
  void merge_olderTime_isAnEventLikeANewFavorite() {
    IssuedToken anonymous = FIXTURE.tokens.issueAnonymous();
    String login = newUser();
    FIXTURE.follow(anonymous.subject(), "user:older", Delivery.INSTANT);
    FIXTURE.follow(login, "user:older", Delivery.INSTANT);
    FIXTURE.follow(login, "user:newer", Delivery.INSTANT);
    FIXTURE.follow(anonymous.subject(), "user:newer", Delivery.INSTANT);
    merge(login, anonymous.token());
    assertThat(FIXTURE.favoriteEvents(login))
        .filteredOn(event -> event.getId().equals("user:older"))
        .extracting(event -> event.getAdded())
        .containsExactly(true, true);
    assertThat(FIXTURE.favoriteEvents(login))
        .filteredOn(event -> event.getId().equals("user:newer"))
        .extracting(event -> event.getAdded())
        .startsWith(true)
        .doesNotHaveDuplicates();
  }

  @Test
  void merge_priceNotifiedLater_wins() {
    IssuedToken anonymous = FIXTURE.tokens.issueAnonymous();
    String login = newUser();
    String offer = FIXTURE.offer(1000);
    FIXTURE.save(anonymous.subject(), List.of(offer));
    FIXTURE.save(login, List.of(offer));
    FIXTURE.database.inTransaction(
        tx ->
            new AlertRuleStore()
                .updateKnownPrices(
                    tx, List.of(new AlertRules.PriceUpdate(anonymous.subject(), offer, 42, 7))));
    merge(login, anonymous.token());
    AlertRuleKey key = new AlertRuleKey(login, FavoriteKind.OFFER, offer);
    AlertRule rule =
        FIXTURE.database.inTransaction(
            tx -> new AlertRuleStore().lockForShare(tx, List.of(key)).rule(key).orElseThrow());
    assertThat(rule.priceHash()).isEqualTo(42);
    assertThat(rule.priceVersion()).isEqualTo(7);
  }

  /// Bounded batches: nothing grows with the number of favorites but the number of pages.
  @Tag("skip-fake-citus")
  @Test
  void merge_hundredThousandFavorites_areAllMerged() {
    IssuedToken anonymous = FIXTURE.tokens.issueAnonymous();
    String login = newUser();
    FIXTURE.save(anonymous.subject(), FIXTURE.offers(500));
    put(anonymous.subject(), 99_500);
    MoveFromAnonymousResponse response = merge(login, anonymous.token());
    assertThat(response.getMovedMap()).containsEntry("OFFER", 100_000);
    assertThat(FIXTURE.count(login, Favorite.Kind.OFFER)).isEqualTo(100_000);
    assertThat(FIXTURE.count(anonymous.subject(), Favorite.Kind.OFFER)).isZero();
    assertThat(rows(login)).isEqualTo(100_000);
    assertThat(rows(anonymous.subject())).isZero();
    FIXTURE.clear("outbox");
  }

  /// Inserted directly: this many calls would take longer than the whole test.
  private static void put(String owner, int offers) {
    List<OfferId> ids =
        Stream.generate(() -> OfferId.random(new Home(1))).distinct().limit(offers).toList();
    BatchSql<OfferId> saved =
        BatchColumns.<OfferId>of(_ -> Home.of(owner))
            .texts("id", OfferId::toString)
            .sql(
                """
                INSERT INTO favorite (home, owner, kind, favorite_id, created_at, delivery, size,
                                      price_hash, price_version, name, body)
                SELECT k.home, ?::text, 1, k.id, ?::timestamptz, 0, 0, 0, 0, '', '' FROM :rows(k)
                """);
    FIXTURE.database.transact(
        tx -> {
          tx.sql("UPDATE favorite_owner SET offers = offers + ? WHERE home = ? AND owner = ?")
              .set(offers)
              .set(Home.of(owner))
              .set(owner)
              .update();
          tx.sql(saved, ids).set(owner).set(TestClock.START).update();
        });
  }

  private static long rows(String owner) {
    return FIXTURE.database.read(
        tx ->
            tx.sql("SELECT count(*) FROM favorite WHERE home = ? AND owner = ? AND kind = 1")
                .set(Home.of(owner))
                .set(owner)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }

  /// Whether there was a transaction left to crash at.
  private static boolean crashesAt(Couple couple, int transaction) {
    AtomicInteger remaining = new AtomicInteger(transaction);
    try {
      process(
              () -> {
                if (remaining.decrementAndGet() == 0) {
                  throw new Crash();
                }
              },
              2)
          .merge(couple.anonymous, couple.login);
      return false;
    } catch (Crash e) {
      return true;
    }
  }

  private static LoginMergeProcess process(Runnable betweenTransactions, int page) {
    FavoritesMergeStep favorites =
        new FavoritesMergeStep(
            FIXTURE.database, FIXTURE.store(), FIXTURE.clock, betweenTransactions, page);
    return new LoginMergeProcess(
        FIXTURE.database,
        List.of(
            LoginMergeStep.named(
                "other",
                (_, _) -> {
                  betweenTransactions.run();
                  return false;
                }),
            LoginMergeStep.named("favorites", favorites::page)),
        FIXTURE.clock);
  }

  private static LockedAlertRules lockForShare(String recipient) {
    AlertRuleKey any = new AlertRuleKey(recipient, FavoriteKind.OFFER, "1");
    return FIXTURE.database.inTransaction(
        tx -> new AlertRuleStore().lockForShare(tx, List.of(any)));
  }

  private static MoveFromAnonymousResponse merge(String login, String token) {
    return FIXTURE.as(
        login,
        MoveFromAnonymousRequest.newBuilder().setAnonymousToken(token).build(),
        FavoriteRpc::moveFromAnonymous);
  }
}
