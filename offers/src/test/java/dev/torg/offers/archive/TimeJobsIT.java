package dev.torg.offers.archive;

import static dev.torg.offers.TestOffers.await;
import static dev.torg.offers.TestOffers.car;
import static dev.torg.offers.TestOffers.kindOf;
import static dev.torg.offers.TestOffers.moderator;
import static dev.torg.offers.TestOffers.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Opinion;
import dev.torg.offers.TestOffers;
import dev.torg.offers.cabinet.CabinetChecks;
import dev.torg.offers.life.Act.Action;
import dev.torg.platform.Caller;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TimeJobsIT {
  @RegisterExtension static final TestOffers OFFERS = new TestOffers();

  private static final List<Home> HOMES =
      IntStream.range(0, Home.COUNT).mapToObj(Home::new).toList();

  private final TimeJobs jobs = OFFERS.timeJobs();
  private final CabinetChecks checks = new CabinetChecks(OFFERS);

  @Test
  void expire_afterSixtyDays_unlessProlongedOrWithdrawn() {
    Caller seller = user("expires");
    Offer left = publish(seller);
    Offer prolonged = publish(seller);
    Offer withdrawn = publish(seller);
    await(OFFERS.offers().act(seller, id(withdrawn), Action.WITHDRAW));
    OFFERS.clock.advance(Duration.ofDays(30));
    await(OFFERS.offers().act(seller, id(prolonged), Action.PROLONG));
    jobs.expire(HOMES, OFFERS.clock.instant());
    assertThat(status(seller, left)).isEqualTo(Status.ACTIVE);

    OFFERS.clock.advance(Duration.ofDays(31));
    jobs.expire(HOMES, OFFERS.clock.instant());
    assertThat(status(seller, left)).isEqualTo(Status.EXPIRED);
    assertThat(status(seller, prolonged)).isEqualTo(Status.ACTIVE);
    assertThat(status(seller, withdrawn)).isEqualTo(Status.WITHDRAWN);
    assertThat(OFFERS.events(left.getId()).getLast().getChangedList()).containsExactly("status");
    checks.assertExact(seller);
    assertThat(kindOf(() -> OFFERS.offers().get(Optional.empty(), id(left)))).isEqualTo("OK");
  }

  @Test
  void archive_removedAndExpired_areStillReadById() {
    Caller seller = user("archives");
    Offer removed = publish(seller);
    Offer active = publish(seller);
    await(OFFERS.stages().put(id(removed), "check", new byte[] {1}, OptionalLong.empty()));
    await(OFFERS.offers().act(seller, id(removed), Action.REMOVE));
    Offer before = await(OFFERS.offers().get(Optional.of(seller), id(removed)));
    assertThat(jobs.archive(seller.home(), OFFERS.clock.instant())).isZero();

    OFFERS.clock.advance(Duration.ofDays(46));
    assertThat(jobs.archive(seller.home(), OFFERS.clock.instant())).isEqualTo(1);
    assertThat(await(OFFERS.offers().get(Optional.of(seller), id(removed)))).isEqualTo(before);
    assertThat(kindOf(() -> OFFERS.offers().get(Optional.empty(), id(removed))))
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
    assertThat(kindOf(() -> OFFERS.offers().act(seller, id(removed), Action.REMOVE)))
        .isEqualTo("CONFLICT");
    assertThat(jobs.archive(seller.home(), OFFERS.clock.instant())).isZero();
  }

  @Test
  void reactivate_archivedExpired_bringsItBackWithItsParts() {
    Caller seller = user("returns");
    Offer offer = publish(seller);
    await(
        OFFERS
            .moderation()
            .judge(
                moderator("m"),
                id(offer),
                Opinion.newBuilder().setVerdict(Opinion.Verdict.OK).build()));
    await(OFFERS.stages().put(id(offer), "check", new byte[] {7}, OptionalLong.empty()));
    OFFERS.clock.advance(Duration.ofDays(61));
    jobs.expire(HOMES, OFFERS.clock.instant());
    OFFERS.clock.advance(Duration.ofDays(46));
    assertThat(jobs.archive(seller.home(), OFFERS.clock.instant())).isEqualTo(1);
    checks.assertExact(seller);

    Offer again = await(OFFERS.offers().act(seller, id(offer), Action.REACTIVATE));
    assertThat(again.getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(again.getVersion()).isEqualTo(3);
    assertThat(again.getActivatedAt()).isEqualTo(offer.getActivatedAt());
    assertThat(status(seller, offer)).isEqualTo(Status.ACTIVE);
    assertThat(
            await(OFFERS.stages().put(id(offer), "check", new byte[] {8}, OptionalLong.of(1)))
                .getVersion())
        .isEqualTo(2);
    assertThat(archived(offer)).isZero();
    checks.assertExact(seller);
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
