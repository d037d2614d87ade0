package dev.torg.alerts.seller;

import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.HeldLease;
import dev.torg.alerts.RecordingBell;
import dev.torg.alerts.text.OpenLinks;
import dev.torg.api.v1.FeedEvent;
import dev.torg.api.v1.FeedTask;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.NotificationSettingsServiceGrpc.NotificationSettingsServiceImplBase;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.PhotoEvent;
import dev.torg.notifications.Channel;
import dev.torg.notifications.TopicChannels;
import dev.torg.offers.OfferTopics;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.lease.Lease;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// From an event to the seller's bell.
class SellerNoticesIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final String seller = newUser();
  private AlertsFixture fixture;
  private HeldLease lease;
  private RecordingBell bell;
  private SellerNoticeConsumer consumer;
  private SendSellerNoticesJob job;
  private ExpiryNoticesJob expiries;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    lease = new HeldLease(fixture.database, fixture.clock);
    bell = new RecordingBell(fixture.notifications.bell());
    consumer = new SellerNoticeConsumer(fixture.database, fixture.offers.offers(), fixture.clock);
    job =
        new SendSellerNoticesJob(
            fixture.database,
            bell,
            fixture.notifications.settings(),
            OpenLinks.RELATIVE,
            TopicChannels.defaults());
    expiries = new ExpiryNoticesJob(fixture.database, fixture.offers.offers());
    fixture.clearOutbox(OfferTopics.OFFERS);
    fixture.clear("expiry_notice");
  }

  @AfterEach
  void close() {
    lease.close();
    fixture.close();
  }

  private Lease lease() {
    return lease.of(Home.of(seller));
  }

  private void consumeOffers() throws InvalidProtocolBufferException {
    List<Event> events = fixture.outbox(OfferTopics.OFFERS);
    for (int from = 0; from < events.size(); from += 500) {
      consumer.handleOffers(events.subList(from, Math.min(events.size(), from + 500)));
    }
  }

  private static Event event(String topic, MessageLite message) {
    return new Event(topic, 0, 0, "", 0, message.toByteArray(), TestClock.START, false);
  }

  private void sendAfterGathering() {
    fixture.clock.advance(SellerNotice.GATHER_TIME);
    send();
  }

  private void send() {
    Instant now = fixture.clock.instant();
    while (job.run(lease(), now)) {}
  }

  private List<String> titles() {
    return fixture.bell(seller).stream().map(Notification::getTitle).toList();
  }

  private void useRussian() {
    fixture.as(
        seller,
        fixture.settingsService(),
        NotificationSettings.newBuilder().setLanguage("ru").build(),
        NotificationSettingsServiceImplBase::putNotificationSettings);
  }

  @Test
  void ban_isOneNoticeWithReasons_howeverOftenItIsDelivered() throws Exception {
    Offer offer = fixture.publish(seller, car("VW Golf", 100));
    fixture.giveOpinion(offer, Opinion.Verdict.BAN);
    consumeOffers();
    consumeOffers();
    send();
    assertThat(fixture.bell(seller)).as("before the events were gathered").isEmpty();
    sendAfterGathering();
    consumeOffers();
    sendAfterGathering();
    List<Notification> received = fixture.bell(seller);
    assertThat(received).hasSize(1);
    Notification notice = received.getFirst();
    assertThat(notice.getTopic()).isEqualTo("offers");
    assertThat(notice.getTitle()).isEqualTo("Your offer ‘VW Golf’ was banned");
    assertThat(notice.getText()).isEqualTo("Reasons: test");
    assertThat(notice.getOpen().getWeb()).isEqualTo("/offers/" + offer.getId());
    assertThat(notice.getOpen().getType()).isEqualTo("offer");
    assertThat(
            notice
                .getOpen()
                .getPayload()
                .getStructValue()
                .getFieldsOrThrow("offerId")
                .getStringValue())
        .isEqualTo(offer.getId());
    assertThat(bell.entries.getFirst().delivery().channels())
        .containsExactlyInAnyOrder(Channel.EMAIL, Channel.PUSH);
  }

  @Test
  void unban_isANotice_inTheSellersLanguage() throws Exception {
    useRussian();
    Offer offer = fixture.publish(seller, car("VW Golf", 100));
    fixture.giveOpinion(offer, Opinion.Verdict.BAN);
    fixture.giveOpinion(offer, Opinion.Verdict.UNBAN);
    consumeOffers();
    sendAfterGathering();
    assertThat(titles())
        .containsExactlyInAnyOrder(
            "Ваше объявление ‘VW Golf’ заблокировано",
            "Ваше объявление ‘VW Golf’ больше не заблокировано");
  }

  @Test
  void sellersOwnActions_areNoNotices() throws Exception {
    Offer offer = fixture.publish(seller);
    fixture.reprice(offer, 5);
    fixture.withdraw(offer);
    fixture.reactivate(offer);
    consumeOffers();
    sendAfterGathering();
    assertThat(fixture.bell(seller)).isEmpty();
  }

  @Test
  void ban_ofTwoThousandOffers_isOneEntryWithTheExactCount() throws Exception {
    List<Offer> offers =
        IntStream.range(0, 2_000)
            .parallel()
            .mapToObj(i -> fixture.publish(seller, car("Car " + i, 100)))
            .toList();
    offers.parallelStream().forEach(offer -> fixture.giveOpinion(offer, Opinion.Verdict.BAN));
    List<Event> events = new ArrayList<>(fixture.outbox(OfferTopics.OFFERS));
    consumer.handleOffers(events.subList(0, 3_000));
    sendAfterGathering();
    consumer.handleOffers(events.subList(2_500, events.size()));
    sendAfterGathering();
    assertThat(titles()).containsExactly("2000 of your offers were banned");
    assertThat(fixture.bell(seller).getFirst().getText()).startsWith("Among them: Car ");
  }

  /// The first ones of an hour have their own entries.
  @Test
  void bans_moreThanAFewInAnHour_areCounted() throws Exception {
    for (int i = 0; i < 5; i++) {
      fixture.giveOpinion(fixture.publish(seller, car("Car " + i, 100)), Opinion.Verdict.BAN);
      consumeOffers();
      sendAfterGathering();
    }
    assertThat(titles())
        .containsExactly(
            "2 of your offers were banned",
            "Your offer ‘Car 2’ was banned",
            "Your offer ‘Car 1’ was banned",
            "Your offer ‘Car 0’ was banned");
    fixture.clock.advance(Duration.ofHours(1));
    fixture.giveOpinion(fixture.publish(seller, car("Later", 100)), Opinion.Verdict.BAN);
    consumeOffers();
    sendAfterGathering();
    assertThat(titles().getFirst()).isEqualTo("Your offer ‘Later’ was banned");
  }

  @Test
  void expiry_isANotice() throws Exception {
    Offer offer = fixture.publish(seller, car("VW Golf", 100));
    OfferEvent published =
        OfferEvent.parseFrom(fixture.outbox(OfferTopics.OFFERS).getFirst().payload());
    OfferEvent.Builder expired = published.toBuilder().setVersion(2);
    expired.getBeforeBuilder().setStatus(Offer.Status.ACTIVE);
    expired.getAfterBuilder().setStatus(Offer.Status.EXPIRED);
    consumer.handleOffers(List.of(event(OfferTopics.OFFERS, expired.build())));
    sendAfterGathering();
    assertThat(titles()).containsExactly("Your offer ‘VW Golf’ has expired");
    assertThat(offer.getStatus()).isEqualTo(Offer.Status.ACTIVE);
  }

  @Test
  void expiryInThreeDays_isNoticedOncePerDueDate() {
    walkExpiries();
    Offer offer = fixture.publish(seller, car("VW Golf", 100));
    Duration lifetime =
        Duration.between(fixture.clock.instant(), EpochMicros.instant(offer.getExpiresAt()));
    fixture.clock.advance(lifetime.minusDays(4));
    walkExpiries();
    sendAfterGathering();
    assertThat(titles()).as("four days before").isEmpty();
    fixture.clock.advance(Duration.ofDays(1).plusMinutes(2));
    walkExpiries();
    walkExpiries();
    sendAfterGathering();
    assertThat(titles()).containsExactly("Your offer ‘VW Golf’ expires in 3 days");
    Offer prolonged = fixture.prolong(offer);
    assertThat(prolonged.getExpiresAt().getSeconds())
        .isGreaterThan(offer.getExpiresAt().getSeconds());
    walkExpiries();
    sendAfterGathering();
    assertThat(titles()).hasSize(1);
    fixture.clock.advance(lifetime.minusDays(3).plusMinutes(2));
    walkExpiries();
    sendAfterGathering();
    assertThat(titles())
        .containsExactly(
            "Your offer ‘VW Golf’ expires in 3 days", "Your offer ‘VW Golf’ expires in 3 days");
  }

  @Test
  void expiryInThreeDays_manyAtOnce_areCounted() {
    walkExpiries();
    List<Offer> offers =
        IntStream.range(0, 600).parallel().mapToObj(_ -> fixture.publish(seller)).toList();
    Instant end = EpochMicros.instant(offers.getLast().getExpiresAt());
    fixture.clock.advance(
        Duration.between(fixture.clock.instant(), end).minusDays(3).plusMinutes(2));
    walkExpiries();
    sendAfterGathering();
    assertThat(titles()).containsExactly("600 of your offers expire within 3 days");
  }

  private void walkExpiries() {
    Instant now = fixture.clock.instant();
    while (expiries.run(lease(), now)) {}
  }

  @Test
  void failedPhotos_ofOneOffer_areOneNotice_ofSeveralAreCounted() throws Exception {
    Offer offer = fixture.publish(seller, car("VW Golf", 100));
    List<Event> failed = List.of(failed(offer, "p1"), failed(offer, "p2"));
    SellerNoticeConsumer known =
        new SellerNoticeConsumer(
            fixture.database, new OffersWithPhotos(fixture.offers.offers(), 10), fixture.clock);
    known.handlePhotos(failed);
    known.handlePhotos(failed);
    sendAfterGathering();
    assertThat(titles()).containsExactly("2 photos of ‘VW Golf’ could not be used");
    assertThat(fixture.bell(seller).getFirst().getText()).isEqualTo("not an image");
    List<Event> ofSeveral = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Offer other = fixture.publish(seller);
      ofSeveral.add(failed(other, "p1"));
      ofSeveral.add(failed(other, "p2"));
      ofSeveral.add(failed(other, "removed"));
    }
    known.handlePhotos(ofSeveral);
    sendAfterGathering();
    assertThat(titles().getFirst()).isEqualTo("8 photos of your offers could not be used");
    assertThat(titles()).hasSize(2);
  }

  @Test
  void photos_ofDraftsAndUnknownOffers_areNoNotices() throws Exception {
    PhotoEvent unknown =
        PhotoEvent.newBuilder()
            .setPhotoId("p")
            .setOfferId("nonsense")
            .setStatus(Photo.Status.FAILED)
            .build();
    consumer.handlePhotos(List.of(event("torg.photos", unknown)));
    sendAfterGathering();
    assertThat(bell.entries).isEmpty();
  }

  private static Event failed(Offer offer, String photo) {
    return event(
        "torg.photos",
        PhotoEvent.newBuilder()
            .setPhotoId(photo)
            .setOfferId(offer.getId())
            .setStatus(Photo.Status.FAILED)
            .setError("not an image")
            .build());
  }

  @Test
  void feeds_areNoticedWithCounts() throws Exception {
    Event finished = feed(17, FeedTask.Status.FINISHED, 1);
    consumer.handleFeeds(List.of(finished, feed(18, FeedTask.Status.STOPPED, 2), finished));
    sendAfterGathering();
    consumer.handleFeeds(List.of(finished));
    sendAfterGathering();
    assertThat(titles())
        .containsExactlyInAnyOrder("Your feed 17 is finished", "Your feed 18 was stopped");
    assertThat(fixture.bell(seller))
        .filteredOn(notice -> notice.getTitle().contains("18"))
        .extracting(Notification::getText)
        .containsExactly("why\nOffers created: 5, updated: 0, unchanged: 0, removed: 0, failed: 2");
  }

  private Event feed(long task, FeedTask.Status status, long seq) {
    return event(
        OfferTopics.FEEDS,
        FeedEvent.newBuilder()
            .setSellerId(seller)
            .setSeq(seq)
            .setTask(
                FeedTask.newBuilder()
                    .setTaskId(task)
                    .setStatus(status)
                    .setCreated(5)
                    .setFailed(2)
                    .setMessage(status == FeedTask.Status.STOPPED ? "why" : ""))
            .build());
  }

  @Test
  void purge_removesSentRowsAfterTheTopicsRetention() throws Exception {
    consumer.handleFeeds(List.of(feed(17, FeedTask.Status.FINISHED, 1)));
    fixture.clock.advance(Duration.ofDays(10));
    job.purge(lease(), fixture.clock.instant());
    assertThat(rows()).as("a row that waits").isEqualTo(1);
    sendAfterGathering();
    job.purge(lease(), fixture.clock.instant());
    assertThat(rows()).isZero();
    assertThat(titles()).hasSize(1);
  }

  private long rows() {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT count(*) FROM seller_notice WHERE home = ? AND seller = ?")
                .set(Home.of(seller))
                .set(seller)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }
}
