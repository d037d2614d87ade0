package dev.torg.offers.dashboard;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.offers.LockWaits;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.store.PresetRepairStore;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PresetRepairIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final DashboardChecks checks = new DashboardChecks(OFFERS);

  @Test
  void repair_anyError_correctsIt() {
    Caller seller = user("broken");
    List<OfferId> ids = publish(seller, 30);
    await(OFFERS.offers().markSold(seller, ids.get(0), Optional.empty(), true));
    String caller = seller.subject();
    execute(
        "UPDATE seller_preset_count SET count = count + 5 WHERE preset = 1 AND home = ? AND seller = ?",
        caller);
    execute("DELETE FROM seller_preset_count WHERE preset = 2 AND home = ? AND seller = ?", caller);
    execute("DELETE FROM seller_preset WHERE preset = 6 AND home = ? AND seller = ?", caller);
    execute(
        """
        INSERT INTO seller_preset (home, seller, preset, created_at, offer_id)
        SELECT home, seller, 7, created_at, offer_id FROM seller_preset
         WHERE preset = 1 AND home = ? AND seller = ?
        """,
        caller);
    execute(
        """
        INSERT INTO seller_preset (home, seller, preset, created_at, offer_id)
        SELECT home, seller, preset, created_at, 18 FROM seller_preset
         WHERE preset = 1 AND home = ? AND seller = ? LIMIT 1
        """,
        caller);
    execute(
        "UPDATE seller_counter SET value = 100 WHERE counter = 'sold' AND home = ? AND seller = ?",
        caller);
    execute(
        "DELETE FROM seller_counter WHERE counter = 'earned/EUR' AND home = ? AND seller = ?",
        caller);

    assertThat(await(OFFERS.repair().repair(caller))).isPositive();
    checks.assertExact(seller);
    var grown = await(OFFERS.dashboard().counters(seller, caller)).grown();
    assertThat(grown).containsEntry("sold", 1L).containsEntry("earned/EUR", 100L);
    assertThat(await(OFFERS.repair().repair(caller))).isZero();
  }

  @Test
  void repair_underConcurrentWrites_endsExact() {
    List<Caller> sellers = List.of(user("busy1"), user("busy2"), user("busy3"));
    AtomicBoolean stop = new AtomicBoolean();
    List<CompletableFuture<Integer>> writers = new ArrayList<>();
    for (Caller seller : sellers) {
      List<OfferId> ids = publish(seller, 60);
      corrupt(seller.subject());
      for (int i = 0; i < 4; i++) {
        int seed = i;
        writers.add(
            CompletableFuture.supplyAsync(() -> writeUntil(stop, seller, ids, seed), thread()));
      }
    }
    for (int i = 0; i < 5; i++) {
      for (Caller seller : sellers) {
        await(
            CompletableFuture.allOf(
                OFFERS.repair().repair(seller.subject()),
                OFFERS.repair().repair(seller.subject())));
        if (i < 4) {
          corrupt(seller.subject());
        }
      }
    }
    stop.set(true);
    int written = writers.stream().mapToInt(OffersFixture::await).sum();
    assertThat(written).isGreaterThan(100);
    sellers.forEach(checks::assertExact);
  }

  @Test
  void correctCounts_twoAtOnce_applyTheDifferenceOnce() {
    Caller seller = user("twice");
    publish(seller, 5);
    execute(
        "UPDATE seller_preset_count SET count = 1 WHERE home = ? AND seller = ?", seller.subject());
    PresetRepairStore repairs = new PresetRepairStore();
    CompletableFuture<Integer> second =
        OFFERS
            .database()
            .inTransaction(
                tx -> {
                  assertThat(repairs.correctCounts(tx, seller.subject())).isEqualTo(2);
                  CompletableFuture<Integer> rival =
                      CompletableFuture.supplyAsync(
                          () ->
                              OFFERS
                                  .database()
                                  .inTransaction(t -> repairs.correctCounts(t, seller.subject())),
                          thread());
                  LockWaits.awaitOne(OFFERS.database());
                  return rival;
                });
    await(second);
    checks.assertExact(seller);
  }

  @Test
  void repairAll_correctsEverySeller() {
    List<Caller> sellers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Caller seller = user("all" + i);
      publish(seller, 3);
      corrupt(seller.subject());
      sellers.add(seller);
    }
    assertThat(await(OFFERS.repair().repairAll())).isGreaterThanOrEqualTo(10);
    sellers.forEach(checks::assertExact);
  }

  private static int writeUntil(AtomicBoolean stop, Caller seller, List<OfferId> ids, int seed) {
    Random random = new Random(seed);
    AtomicInteger written = new AtomicInteger();
    while (!stop.get()) {
      OfferId id = ids.get(random.nextInt(ids.size()));
      Action action = random.nextBoolean() ? Action.WITHDRAW : Action.REACTIVATE;
      OFFERS
          .offers()
          .apply(seller, id, action)
          .handle((_, error) -> error == null ? written.incrementAndGet() : 0)
          .join();
    }
    return written.get();
  }

  private static void corrupt(String seller) {
    execute(
        "UPDATE seller_preset_count SET count = count + 11 WHERE home = ? AND seller = ?", seller);
    execute(
        """
        DELETE FROM seller_preset WHERE preset = 1 AND home = ? AND seller = ?
           AND offer_id % 3 = 0
        """,
        seller);
  }

  private static List<OfferId> publish(Caller seller, int count) {
    List<CompletableFuture<Offer>> published = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      published.add(OFFERS.offers().publish(seller, car("Car " + i, 100)));
    }
    return published.stream().map(p -> OfferId.parse(await(p).getId())).toList();
  }

  private static Executor thread() {
    return task -> Thread.ofVirtual().start(task);
  }

  /// @param sql its parameters are the seller's home and the seller
  private static void execute(String sql, String seller) {
    OFFERS.database().inTransaction(tx -> tx.sql(sql).set(Home.of(seller)).set(seller).update());
  }
}
