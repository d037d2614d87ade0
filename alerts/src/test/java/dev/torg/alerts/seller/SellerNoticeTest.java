package dev.torg.alerts.seller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.FeedEvent;
import dev.torg.api.v1.FeedTask;
import dev.torg.api.v1.MatchingFields;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.PhotoEvent;
import dev.torg.platform.EpochMicros;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What of the events sellers are notified of.
class SellerNoticeTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");

  private static OfferEvent event(Status before, Status after) {
    return OfferEvent.newBuilder()
        .setVersion(7)
        .setBefore(MatchingFields.newBuilder().setStatus(before))
        .setAfter(Offer.newBuilder().setId("1").setSellerId("user:1").setStatus(after))
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "ACTIVE, BANNED, OFFER_BANNED",
    "PENDING, BANNED, OFFER_BANNED",
    "SOLD, BANNED, OFFER_BANNED",
    "BANNED, BANNED, ",
    "REMOVED, BANNED, ",
    "BANNED, ACTIVE, OFFER_UNBANNED",
    "BANNED, EXPIRED, OFFER_UNBANNED",
    "BANNED, WITHDRAWN, OFFER_UNBANNED",
    "BANNED, REMOVED, ",
    "ACTIVE, EXPIRED, OFFER_EXPIRED",
    "PENDING, EXPIRED, OFFER_EXPIRED",
    "ACTIVE, WITHDRAWN, ",
    "ACTIVE, REMOVED, ",
    "ACTIVE, SOLD, ",
    "ACTIVE, ACTIVE, ",
    "EXPIRED, ACTIVE, ",
    "EXPIRED, EXPIRED, ",
    "PENDING, ACTIVE, "
  })
  void of_statusChange_isANoticeUnlessTheSellerMadeIt(Status before, Status after, String kind) {
    assertThat(SellerNotice.of(event(before, after)).map(notice -> notice.kind().name()))
        .isEqualTo(Optional.ofNullable(kind));
  }

  @Test
  void of_sameChangeTwice_hasTheSameSubject() {
    OfferEvent banned = event(Status.ACTIVE, Status.BANNED);
    assertThat(SellerNotice.of(banned).orElseThrow().subject()).isEqualTo("1:7");
    assertThat(SellerNotice.of(banned.toBuilder().setVersion(9).build()).orElseThrow().subject())
        .isEqualTo("1:9");
  }

  @Test
  void of_newSilentOrStageEvent_isNone() {
    OfferEvent banned = event(Status.ACTIVE, Status.BANNED);
    assertThat(SellerNotice.of(banned.toBuilder().clearBefore().build())).isEmpty();
    assertThat(SellerNotice.of(banned.toBuilder().clearAfter().build())).isEmpty();
    assertThat(SellerNotice.of(banned.toBuilder().setSilent(true).build())).isEmpty();
  }

  private static Offer expiring(Duration activeFor, Duration remaining) {
    return Offer.newBuilder()
        .setId("1")
        .setSellerId("user:1")
        .setActivatedAt(EpochMicros.timestamp(NOW.minus(activeFor)))
        .setExpiresAt(EpochMicros.timestamp(NOW.plus(remaining)))
        .build();
  }

  @Test
  void ofExpiry_offerActiveForLongEnough_isNoticedPerDueDate() {
    Offer offer = expiring(Duration.ofDays(4), Duration.ofDays(3));
    String subject = SellerNotice.ofExpiry(offer, NOW).orElseThrow().subject();
    Offer prolonged = expiring(Duration.ofDays(4), Duration.ofDays(33));
    assertThat(SellerNotice.ofExpiry(prolonged, NOW).orElseThrow().subject()).isNotEqualTo(subject);
  }

  @Test
  void ofExpiry_recentOrExpiredOffer_isNone() {
    assertThat(SellerNotice.ofExpiry(expiring(Duration.ofDays(2), Duration.ofDays(3)), NOW))
        .isEmpty();
    assertThat(SellerNotice.ofExpiry(expiring(Duration.ofDays(60), Duration.ofDays(-1)), NOW))
        .isEmpty();
  }

  @Test
  void of_failedPhoto_isNoticedWhileTheOfferHasIt() {
    PhotoEvent failed =
        PhotoEvent.newBuilder().setPhotoId("p").setStatus(Photo.Status.FAILED).build();
    Offer offer =
        Offer.newBuilder()
            .setId("1")
            .setSellerId("user:1")
            .addPhotos(Photo.newBuilder().setId("p"))
            .build();
    assertThat(SellerNotice.of(failed, offer)).isPresent();
    assertThat(SellerNotice.of(failed, offer.toBuilder().clearPhotos().build())).isEmpty();
    assertThat(SellerNotice.of(failed, offer.toBuilder().setStatus(Status.REMOVED).build()))
        .isEmpty();
    assertThat(SellerNotice.of(failed.toBuilder().setStatus(Photo.Status.READY).build(), offer))
        .isEmpty();
  }

  @Test
  void of_feed_isNoticedUnlessALaterOneReplacedIt() {
    FeedEvent failed =
        FeedEvent.newBuilder()
            .setSellerId("user:1")
            .setSeq(5)
            .setTask(FeedTask.newBuilder().setTaskId(3).setStatus(FeedTask.Status.FAILED))
            .build();
    assertThat(SellerNotice.of(failed).orElseThrow().subject()).isEqualTo("3:5");
    assertThat(SellerNotice.of(failed.toBuilder().setReplacedBy(4).build())).isEmpty();
  }
}
