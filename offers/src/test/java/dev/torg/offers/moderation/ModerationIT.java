package dev.torg.offers.moderation;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.kindOf;
import static dev.torg.offers.wiring.OffersFixture.moderator;
import static dev.torg.offers.wiring.OffersFixture.pet;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.ModerationEvent;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.Opinion.Verdict;
import dev.torg.api.v1.QueueEntry;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.kafka.Event;
import dev.torg.testkit.TestClock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ModerationIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final Caller SELLER = user("seller");
  private static final Caller MODERATOR = moderator("judge");
  private static final AtomicLong OFFSETS = new AtomicLong();

  private final ModerationService moderation = OFFERS.moderation();
  private final ModerationOpinionsConsumer consumer = new ModerationOpinionsConsumer(moderation);

  @Test
  void ban_thenUnban_restoresStatus() {
    Offer offer = publish(car("Audi", 1));
    Offer banned = giveOpinion(offer, opinion(Verdict.BAN).addReasons("spam"));
    assertThat(banned.getStatus()).isEqualTo(Status.BANNED);
    assertThat(banned.getBanReasonsList()).containsExactly("spam");
    assertThat(banned.getVersion()).isEqualTo(2);
    assertThat(kindOf(() -> OFFERS.offers().apply(SELLER, id(offer), Action.REACTIVATE)))
        .isEqualTo("CONFLICT");
    Offer unbanned = giveOpinion(offer, opinion(Verdict.UNBAN));
    assertThat(unbanned.getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(unbanned.getBanReasonsList()).isEmpty();
    assertThat(OFFERS.events(offer.getId()))
        .extracting(event -> event.getAfter().getStatus())
        .containsExactly(Status.ACTIVE, Status.BANNED, Status.ACTIVE);
  }

  @Test
  void markSold_ofAReportedOffer_leavesItInTheQueue() {
    Offer offer = publish(car("Audi", 1));
    await(moderation.report(user("reader"), id(offer), "illegal", ""));
    await(OFFERS.offers().markSold(SELLER, id(offer), Optional.empty(), true));
    assertThat(causes(offer)).containsExactly("REPORTED");
    giveOpinion(offer, opinion(Verdict.BAN));
    assertThat(causes(offer)).isEmpty();
  }

  @Test
  void unban_pendingOffer_needsApproval() {
    Offer offer = publish(pet("A dog"));
    giveOpinion(offer, opinion(Verdict.BAN));
    assertThat(giveOpinion(offer, opinion(Verdict.UNBAN)).getStatus()).isEqualTo(Status.PENDING);
    assertThat(causes(offer)).containsExactly("PENDING");
  }

  @Test
  void lateOpinion_olderVersion_isOnlyRecorded() {
    Offer offer = publish(car("Audi", 1));
    OFFERS.offers().update(SELLER, id(offer), car("Audi", 2), OptionalLong.empty()).join();
    giveOpinion(offer, opinion(Verdict.OK).setOfferVersion(2));
    Offer after = giveOpinion(offer, opinion(Verdict.BAN).setOfferVersion(1));
    assertThat(after.getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(after.getVersion()).isEqualTo(2);

    giveOpinion(offer, opinion(Verdict.BAN).setOfferVersion(2));
    assertThat(giveOpinion(offer, opinion(Verdict.UNBAN).setOfferVersion(1)).getStatus())
        .isEqualTo(Status.BANNED);
    assertThat(await(moderation.opinions(SELLER, id(offer))))
        .extracting(Opinion::getVerdict)
        .containsExactly(Verdict.UNBAN, Verdict.BAN, Verdict.BAN, Verdict.OK);
  }

  @Test
  void illegalVerdicts_areConflicts() {
    Offer active = publish(car("Audi", 1));
    Offer removed = publish(car("Audi", 1));
    await(OFFERS.offers().apply(SELLER, id(removed), Action.REMOVE));
    Offer banned = publish(car("Audi", 1));
    giveOpinion(banned, opinion(Verdict.BAN));
    assertThat(kindOf(() -> submitOpinion(active, opinion(Verdict.UNBAN)))).isEqualTo("CONFLICT");
    assertThat(kindOf(() -> submitOpinion(removed, opinion(Verdict.BAN)))).isEqualTo("CONFLICT");
    assertThat(kindOf(() -> submitOpinion(banned, opinion(Verdict.OK)))).isEqualTo("CONFLICT");
    assertThat(kindOf(() -> submitOpinion(active, Opinion.newBuilder()))).isEqualTo("INVALID");
    assertThat(kindOf(() -> submitOpinion(active, opinion(Verdict.BAN).setOfferVersion(99))))
        .isEqualTo("INVALID");
  }

  @Test
  void removedOfferInQueue_leavesItByApprovalOrAnyTopicOpinion() throws Exception {
    Offer approved = removedInQueue();
    assertThat(kindOf(() -> submitOpinion(approved, opinion(Verdict.BAN)))).isEqualTo("CONFLICT");
    assertThat(entry(approved)).isPresent();
    assertThat(giveOpinion(approved, opinion(Verdict.OK).setOfferVersion(1)).getStatus())
        .isEqualTo(Status.REMOVED);
    assertThat(entry(approved)).isEmpty();

    Offer banned = removedInQueue();
    consumer.handle(List.of(event(banned.getId(), opinion(Verdict.BAN).build())));
    assertThat(entry(banned)).isEmpty();
    assertThat(await(OFFERS.offers().get(Optional.of(SELLER), id(banned))).getStatus())
        .isEqualTo(Status.REMOVED);
    assertThat(await(moderation.opinions(MODERATOR, id(banned)))).hasSize(1);
  }

  /// As an older version of the program may have left it.
  private static Offer removedInQueue() {
    Offer offer = publish(car("Audi", 1));
    await(OFFERS.offers().apply(SELLER, id(offer), Action.REMOVE));
    OFFERS
        .database()
        .inTransaction(
            tx ->
                tx.sql(
                        "INSERT INTO moderation_queue (home, offer_id, causes, since)"
                            + " VALUES (?, ?, 4, now())")
                    .set(id(offer).home())
                    .set(id(offer).number())
                    .update());
    return offer;
  }

  @Test
  void opinions_areForModeratorsAndTheOwner() {
    Offer offer = publish(car("Audi", 1));
    giveOpinion(offer, opinion(Verdict.OK));
    assertThat(await(moderation.opinions(MODERATOR, id(offer)))).hasSize(1);
    assertThat(await(moderation.opinions(SELLER, id(offer))).getFirst().getModerator())
        .isEqualTo("user:judge");
    assertThat(kindOf(() -> moderation.opinions(user("x"), id(offer)))).isEqualTo("FORBIDDEN");
  }

  @Test
  void banAndEdit_concurrentlyInTwoProcesses_loseNothing() {
    try (Database other = Database.connect(OFFERS.url(), 10);
        OffersWiring second = OFFERS.wiring(other)) {
      for (int round = 0; round < 30; round++) {
        banAndEditAtOnce(OffersFixture.moderation(second));
      }
    }
  }

  private void banAndEditAtOnce(ModerationService service) {
    Offer offer = publish(car("Before", 100));
    Opinion ban = opinion(Verdict.BAN).addReasons("spam").build();
    CountDownLatch start = new CountDownLatch(1);
    List<CompletableFuture<Offer>> both =
        List.of(
            together(
                start,
                () ->
                    OFFERS
                        .offers()
                        .update(SELLER, id(offer), car("After", 50), OptionalLong.empty())),
            together(start, () -> service.applyOpinion(MODERATOR, id(offer), ban)));
    start.countDown();
    both.forEach(OffersFixture::await);

    Offer after = await(OFFERS.offers().get(Optional.of(SELLER), id(offer)));
    assertThat(after.getStatus()).isEqualTo(Status.BANNED);
    assertThat(after.getBanReasonsList()).containsExactly("spam");
    assertThat(after.getTitle()).isEqualTo("After");
    assertThat(after.getPrice().getAmount()).isEqualTo(50);
    assertThat(after.getVersion()).isEqualTo(3);
    List<OfferEvent> events = OFFERS.events(offer.getId());
    assertThat(events).extracting(OfferEvent::getVersion).containsExactly(1L, 2L, 3L);
    assertThat(events.getLast().getAfter()).isEqualTo(after);
  }

  @Test
  void applyFromTopic_redeliveredBan_isAppliedOnce() throws Exception {
    Offer offer = publish(car("Audi", 1));
    Event ban = event(offer.getId(), opinion(Verdict.BAN).addReasons("topic").build());
    Event unban = event(offer.getId(), opinion(Verdict.UNBAN).build());
    consumer.handle(List.of(ban, unban));
    Offer after = await(OFFERS.offers().get(Optional.of(SELLER), id(offer)));
    assertThat(after.getStatus()).isEqualTo(Status.ACTIVE);
    consumer.handle(List.of(ban, unban));
    consumer.handle(List.of(ban));
    assertThat(await(OFFERS.offers().get(Optional.of(SELLER), id(offer)))).isEqualTo(after);
    assertThat(await(moderation.opinions(MODERATOR, id(offer)))).hasSize(2);
  }

  @Test
  void applyFromTopic_unknownOfferOrInvalidPayload_fails() {
    Event unknown = event("0000000000000000", opinion(Verdict.BAN).build());
    assertThatThrownBy(() -> consumer.handle(List.of(unknown)))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.NOT_FOUND));
    Event nonsense =
        new Event(OfferTopics.MODERATION, 0, 1, "k", 0, new byte[] {1, 2}, now(), false);
    assertThatThrownBy(() -> consumer.handle(List.of(nonsense))).isInstanceOf(Exception.class);
  }

  @Test
  void applyFromTopic_statusDoesNotAllowIt_isOnlyRecorded() throws Exception {
    Offer offer = publish(car("Audi", 1));
    await(OFFERS.offers().apply(SELLER, id(offer), Action.WITHDRAW));
    consumer.handle(List.of(event(offer.getId(), opinion(Verdict.UNBAN).build())));
    assertThat(await(OFFERS.offers().get(Optional.of(SELLER), id(offer))).getStatus())
        .isEqualTo(Status.WITHDRAWN);
    assertThat(await(moderation.opinions(MODERATOR, id(offer)))).hasSize(1);
  }

  @Test
  void report_sameUserTwice_countsOnce() {
    Offer offer = publish(car("Audi", 1));
    assertThat(await(moderation.report(user("r1"), id(offer), "fraud", ""))).isTrue();
    assertThat(await(moderation.report(user("r1"), id(offer), "fraud", "again"))).isFalse();
    assertThat(await(moderation.report(user("r2"), id(offer), "fraud", ""))).isTrue();
    QueueEntry entry = entry(offer).orElseThrow();
    assertThat(entry.getReports()).isEqualTo(2);
    assertThat(entry.getCausesList()).containsExactly("REPORTED");
    giveOpinion(offer, opinion(Verdict.OK));
    assertThat(entry(offer)).isEmpty();
    assertThat(kindOf(() -> moderation.report(user("r3"), id(offer), " ", "")))
        .isEqualTo("INVALID");
  }

  @Test
  void report_hiddenOffer_isNotFound() {
    Offer pending = publish(pet("A cat"));
    assertThat(kindOf(() -> moderation.report(user("r"), id(pending), "x", "")))
        .isEqualTo("NOT_FOUND");
  }

  private static CompletableFuture<Offer> together(
      CountDownLatch start, Supplier<CompletableFuture<Offer>> call) {
    return CompletableFuture.supplyAsync(
            () -> {
              try {
                start.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              return call.get();
            },
            task -> Thread.ofVirtual().start(task))
        .thenCompose(response -> response);
  }

  private static Event event(String offerId, Opinion opinion) {
    byte[] payload =
        ModerationEvent.newBuilder().setOfferId(offerId).setOpinion(opinion).build().toByteArray();
    return new Event(
        OfferTopics.MODERATION, 0, OFFSETS.incrementAndGet(), offerId, 0, payload, now(), false);
  }

  private static Instant now() {
    return TestClock.START;
  }

  private static List<String> causes(Offer offer) {
    return OFFERS.queueCauses(offer);
  }

  private static Optional<QueueEntry> entry(Offer offer) {
    return OFFERS.queued(offer);
  }

  private static Opinion.Builder opinion(Verdict verdict) {
    return Opinion.newBuilder().setVerdict(verdict);
  }

  private CompletableFuture<Offer> submitOpinion(Offer offer, Opinion.Builder opinion) {
    return moderation.applyOpinion(MODERATOR, id(offer), opinion.build());
  }

  private Offer giveOpinion(Offer offer, Opinion.Builder opinion) {
    return await(submitOpinion(offer, opinion));
  }

  private static Offer publish(Offer content) {
    return await(OFFERS.offers().publish(SELLER, content));
  }

  private static OfferId id(Offer offer) {
    return OfferId.parse(offer.getId());
  }
}
