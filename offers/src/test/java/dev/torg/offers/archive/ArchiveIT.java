package dev.torg.offers.archive;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.kindOf;
import static dev.torg.offers.wiring.OffersFixture.moderator;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.ModerationEvent;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Opinion;
import dev.torg.offers.LockWaits;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.dashboard.DashboardChecks;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.moderation.ModerationOpinionsConsumer;
import dev.torg.offers.store.ArchiveStore;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import dev.torg.platform.kafka.Event;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ArchiveIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final List<Home> HOMES =
      IntStream.range(0, Home.COUNT).mapToObj(Home::new).toList();

  private final ExpireOffersJob expire = OFFERS.expireOffers();
  private final ArchiveOffersJob archive = OFFERS.archiveOffers();
  private final DashboardChecks checks = new DashboardChecks(OFFERS);

  @Test
  void expire_afterSixtyDays_unlessProlongedOrWithdrawn() {
    Caller seller = user("expires");
    Offer after = publish(seller);
    Offer prolonged = publish(seller);
    Offer withdrawn = publish(seller);
    await(OFFERS.offers().apply(seller, id(withdrawn), Action.WITHDRAW));
    OFFERS.clock.advance(Duration.ofDays(30));
    await(OFFERS.offers().apply(seller, id(prolonged), Action.PROLONG));
    expire.run(HOMES, OFFERS.clock.instant());
    assertThat(status(seller, after)).isEqualTo(Status.ACTIVE);

    OFFERS.clock.advance(Duration.ofDays(31));
    expire.run(HOMES, OFFERS.clock.instant());
    assertThat(status(seller, after)).isEqualTo(Status.EXPIRED);
    assertThat(status(seller, prolonged)).isEqualTo(Status.ACTIVE);
    assertThat(status(seller, withdrawn)).isEqualTo(Status.WITHDRAWN);
    assertThat(OFFERS.events(after.getId()).getLast().getChangedList()).containsExactly("status");
    checks.assertExact(seller);
    assertThat(kindOf(() -> OFFERS.offers().get(Optional.empty(), id(after)))).isEqualTo("OK");
  }

  @Test
  void archive_removedAndExpired_areStillReadById() {
    Caller seller = user("archives");
    Offer removed = publish(seller);
    Offer active = publish(seller);
    await(OFFERS.stages().put(id(removed), "check", new byte[] {1}, OptionalLong.empty()));
    await(OFFERS.offers().apply(seller, id(removed), Action.REMOVE));
    Offer before = await(OFFERS.offers().get(Optional.of(seller), id(removed)));
    assertThat(archive.run(seller.home(), OFFERS.clock.instant())).isZero();

    OFFERS.clock.advance(Duration.ofDays(46));
    assertThat(archive.run(seller.home(), OFFERS.clock.instant())).isEqualTo(1);
    Caller moderator = OffersFixture.moderator("archive");
    assertThat(await(OFFERS.offers().get(Optional.of(moderator), id(removed)))).isEqualTo(before);
    assertThat(kindOf(() -> OFFERS.offers().get(Optional.of(seller), id(removed))))
        .isEqualTo("NOT_FOUND");
    assertThat(status(seller, active)).isEqualTo(Status.ACTIVE);
    assertThat(await(OFFERS.stages().get(id(removed), "check")).getVersion()).isEqualTo(1);
    assertThat(
            kindOf(
                () ->
                    OFFERS
                        .stages()
                        .put(id(removed), "check", new byte[] {2}, OptionalLong.empty())))
        .isEqualTo("CONFLICT");
    assertThat(kindOf(() -> OFFERS.offers().apply(seller, id(removed), Action.REMOVE)))
        .isEqualTo("NOT_FOUND");
    assertThat(archive.run(seller.home(), OFFERS.clock.instant())).isZero();
  }

  @Test
  void reactivate_archivedExpiredOffer_restoresItWithParts() {
    Caller seller = user("returns");
    Offer offer = publish(seller);
    await(
        OFFERS
            .moderation()
            .applyOpinion(
                moderator("m"),
                id(offer),
                Opinion.newBuilder().setVerdict(Opinion.Verdict.OK).build()));
    await(OFFERS.stages().put(id(offer), "check", new byte[] {7}, OptionalLong.empty()));
    OFFERS.clock.advance(Duration.ofDays(61));
    expire.run(HOMES, OFFERS.clock.instant());
    OFFERS.clock.advance(Duration.ofDays(46));
    assertThat(archive.run(seller.home(), OFFERS.clock.instant())).isEqualTo(1);
    checks.assertExact(seller);

    Offer reactivated = await(OFFERS.offers().apply(seller, id(offer), Action.REACTIVATE));
    assertThat(reactivated.getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(reactivated.getVersion()).isEqualTo(3);
    assertThat(reactivated.getActivatedAt()).isEqualTo(offer.getActivatedAt());
    assertThat(status(seller, offer)).isEqualTo(Status.ACTIVE);
    assertThat(
            await(OFFERS.stages().put(id(offer), "check", new byte[] {8}, OptionalLong.of(1)))
                .getVersion())
        .isEqualTo(2);
    assertThat(archived(offer)).isZero();
    checks.assertExact(seller);
  }

  @Test
  void ban_archivedExpired_hidesItAndUnbanRestoresIt() {
    Caller seller = user("banned");
    Offer offer = archivedExpired(seller);
    assertThat(giveOpinion(offer, Opinion.Verdict.BAN)).isEqualTo(Status.BANNED);
    assertThat(kindOf(() -> OFFERS.offers().get(Optional.empty(), id(offer))))
        .isEqualTo("NOT_FOUND");
    assertThat(archived(offer)).isZero();
    checks.assertExact(seller);
    assertThat(giveOpinion(offer, Opinion.Verdict.UNBAN)).isEqualTo(Status.EXPIRED);
    checks.assertExact(seller);
  }

  private static Status giveOpinion(Offer offer, Opinion.Verdict verdict) {
    Opinion opinion = Opinion.newBuilder().setVerdict(verdict).build();
    return await(OFFERS.moderation().applyOpinion(moderator("m"), id(offer), opinion)).getStatus();
  }

  @Test
  void ensurePartition_whileAnotherCreatesIt_doesNotWait() {
    Instant month = OFFERS.clock.instant().plus(Duration.ofDays(1_000));
    ArchiveStore store = new ArchiveStore();
    OFFERS
        .database()
        .transact(
            tx -> {
              assertThat(store.ensurePartition(tx, month)).isTrue();
              assertThat(ensurePartition(store, month)).isFalse();
            });
    assertThat(ensurePartition(store, month)).isTrue();
  }

  private static boolean ensurePartition(ArchiveStore store, Instant month) {
    return OFFERS.database().inTransaction(tx -> store.ensurePartition(tx, month));
  }

  @Test
  void read_duringRestore_findsOffer() throws SQLException {
    Caller seller = user("reads");
    Offer offer = archivedExpired(seller);
    CompletableFuture<Offer> read =
        OFFERS
            .database()
            .inTransactionWithoutRetry(
                tx -> {
                  tx.sql("LOCK TABLE offer_archive IN ACCESS EXCLUSIVE MODE").update();
                  CompletableFuture<Offer> started =
                      OFFERS.offers().get(Optional.of(seller), id(offer));
                  LockWaits.awaitOne(OFFERS.database());
                  restore(tx, id(offer));
                  return started;
                });
    assertThat(await(read).getTitle()).isEqualTo("Audi");
  }

  @Test
  void applyFromTopic_archivedOffer_isRecorded() throws Exception {
    Caller seller = user("opinion");
    Offer offer = publish(seller);
    ModerationEvent stored =
        ModerationEvent.newBuilder()
            .setOfferId(offer.getId())
            .setOpinion(Opinion.newBuilder().setVerdict(Opinion.Verdict.OK))
            .build();
    Event event =
        new Event(
            OfferTopics.MODERATION,
            0,
            1,
            offer.getId(),
            0,
            stored.toByteArray(),
            OFFERS.clock.instant(),
            false);
    ModerationOpinionsConsumer consumer = new ModerationOpinionsConsumer(OFFERS.moderation());
    consumer.handle(List.of(event));
    archiveExpired(seller);
    assertThat(archived(offer)).isEqualTo(2);
    consumer.handle(List.of(event));
    assertThat(await(OFFERS.moderation().opinions(moderator("m"), id(offer)))).hasSize(1);
  }

  @Test
  void expire_oneHomeFails_othersExpire() {
    List<Caller> sellers = List.of(user("expires-a"), user("expires-b"));
    List<Offer> offers = sellers.stream().map(ArchiveIT::publish).toList();
    List<Home> homes = sellers.stream().map(Caller::home).toList();
    assertThat(homes).doesNotHaveDuplicates();
    OFFERS.clock.advance(Duration.ofDays(61));
    Set<OfferId> ids = new HashSet<>();
    ExpireOffersJob failing =
        new ExpireOffersJob(
            OFFERS.database(),
            command -> {
              ids.add(command.id());
              return command.id().home().equals(homes.getFirst())
                  ? CompletableFuture.failedFuture(new IllegalStateException("broken home"))
                  : CompletableFuture.completedFuture(Offer.getDefaultInstance());
            });
    assertThatThrownBy(() -> failing.run(homes, OFFERS.clock.instant()))
        .hasMessageContaining("broken home");
    assertThat(ids).containsAll(offers.stream().map(ArchiveIT::id).toList());
  }

  /// What a reactivation does, without waiting for the table.
  private static void restore(Tx tx, OfferId id) throws SQLException {
    tx.sql(
            """
            UPDATE offer o SET body = a.body, archived = NULL, seq = o.seq + 2 FROM offer_archive a
             WHERE a.home = o.home AND a.id = o.id AND a.kind = 'offer' AND o.kind = 'offer'
               AND o.home = ? AND o.id = ?
            """)
        .set(id.home())
        .set(id.number())
        .update();
    tx.sql("DELETE FROM offer_archive WHERE home = ? AND id = ?")
        .set(id.home())
        .set(id.number())
        .update();
  }

  private Offer archivedExpired(Caller seller) {
    Offer offer = publish(seller);
    archiveExpired(seller);
    return offer;
  }

  private void archiveExpired(Caller seller) {
    OFFERS.clock.advance(Duration.ofDays(61));
    expire.run(HOMES, OFFERS.clock.instant());
    OFFERS.clock.advance(Duration.ofDays(46));
    assertThat(archive.run(seller.home(), OFFERS.clock.instant())).isPositive();
  }

  private static long archived(Offer offer) {
    return OFFERS
        .database()
        .read(
            tx ->
                tx.sql("SELECT count(*) FROM offer_archive WHERE id = ?")
                    .set(id(offer).number())
                    .list(row -> row.longAt(1)))
        .getFirst();
  }

  private static Status status(Caller seller, Offer offer) {
    return await(OFFERS.offers().get(Optional.of(seller), id(offer))).getStatus();
  }

  private static Offer publish(Caller seller) {
    return await(OFFERS.offers().publish(seller, car("Audi", 100)));
  }

  private static OfferId id(Offer offer) {
    return OfferId.parse(offer.getId());
  }
}
