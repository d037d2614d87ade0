package dev.torg.alerts.seller;

import com.google.protobuf.Timestamp;
import dev.torg.alerts.text.OfferImage;
import dev.torg.alerts.text.SellerNoticeKind;
import dev.torg.api.v1.FeedEvent;
import dev.torg.api.v1.FeedTask;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.PhotoEvent;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// An event that a seller is notified of.
///
/// @param subject identifies the event among those of the seller and kind
/// @param body what texts need: an [Offer] or, of feeds, a [FeedTask]
@SuppressWarnings("ArrayRecordComponent")
record SellerNotice(String seller, SellerNoticeKind kind, String subject, byte[] body) {
  /// How long an event waits for others, so that many at once are counted in one entry.
  static final Duration GATHER_TIME = Duration.ofSeconds(10);

  /// How long before its end an offer is announced to expire.
  static final Duration EXPIRY_NOTICE = Duration.ofDays(3);

  /// An offer that was activated more recently than this is not announced to expire.
  private static final Duration MIN_ACTIVE_TIME = Duration.ofDays(3);

  /// From these statuses an offer expires by time. From others it becomes EXPIRED when a ban ends.
  private static final Set<Status> EXPIRING = Set.of(Status.ACTIVE, Status.PENDING);

  /// An offer that is banned in these statuses was banned before: a feed has restored it.
  private static final Set<Status> RESTORED = Set.of(Status.BANNED, Status.REMOVED);

  /// A change of an offer's status that its seller did not make. Owners cannot end a ban except by removing the offer.
  static Optional<SellerNotice> of(OfferEvent event) {
    if (!event.hasAfter() || !event.hasBefore() || event.getSilent()) {
      return Optional.empty();
    }
    Offer after = event.getAfter();
    return kind(event.getBefore().getStatus(), after.getStatus())
        .map(kind -> ofOffer(kind, after, Long.toString(event.getVersion()), summary(after)));
  }

  private static Optional<SellerNoticeKind> kind(Status before, Status after) {
    if (after == Status.BANNED) {
      return RESTORED.contains(before)
          ? Optional.empty()
          : Optional.of(SellerNoticeKind.OFFER_BANNED);
    }
    if (before == Status.BANNED) {
      return after == Status.REMOVED
          ? Optional.empty()
          : Optional.of(SellerNoticeKind.OFFER_UNBANNED);
    }
    return after == Status.EXPIRED && EXPIRING.contains(before)
        ? Optional.of(SellerNoticeKind.OFFER_EXPIRED)
        : Optional.empty();
  }

  /// An active offer that expires within [#EXPIRY_NOTICE], once per due date.
  static Optional<SellerNotice> ofExpiry(Offer offer, Instant now) {
    boolean isRecent =
        EpochMicros.instant(offer.getActivatedAt()).isAfter(now.minus(MIN_ACTIVE_TIME));
    boolean isOver = !EpochMicros.instant(offer.getExpiresAt()).isAfter(now);
    return isRecent || isOver
        ? Optional.empty()
        : Optional.of(
            ofOffer(
                SellerNoticeKind.OFFER_EXPIRES_SOON,
                offer,
                Long.toString(EpochMicros.of(offer.getExpiresAt())),
                summary(offer)));
  }

  /// A photo that failed and that the offer still has, unless it was removed.
  static Optional<SellerNotice> of(PhotoEvent event, Offer offer) {
    boolean isShown =
        offer.getPhotosList().stream().anyMatch(photo -> photo.getId().equals(event.getPhotoId()));
    if (event.getStatus() != Photo.Status.FAILED
        || !isShown
        || offer.getStatus() == Status.REMOVED) {
      return Optional.empty();
    }
    Photo failed =
        Photo.newBuilder()
            .setId(event.getPhotoId())
            .setStatus(Photo.Status.FAILED)
            .setError(event.getError())
            .build();
    return Optional.of(
        ofOffer(
            SellerNoticeKind.PHOTOS_FAILED,
            offer,
            event.getPhotoId(),
            summary(offer).addPhotos(failed)));
  }

  /// A feed that has ended. One that a later feed has replaced is not announced: its seller sent the later one.
  static Optional<SellerNotice> of(FeedEvent event) {
    FeedTask task = event.getTask();
    boolean isFinished = task.getStatus() == FeedTask.Status.FINISHED;
    return event.getReplacedBy() > 0
        ? Optional.empty()
        : Optional.of(
            new SellerNotice(
                event.getSellerId(),
                isFinished ? SellerNoticeKind.FEED_FINISHED : SellerNoticeKind.FEED_STOPPED,
                task.getTaskId() + ":" + event.getSeq(),
                task.toByteArray()));
  }

  Home home() {
    return Home.of(seller);
  }

  private static SellerNotice ofOffer(
      SellerNoticeKind kind, Offer offer, String event, Offer.Builder summary) {
    return new SellerNotice(
        offer.getSellerId(), kind, offer.getId() + ":" + event, summary.build().toByteArray());
  }

  private static Offer.Builder summary(Offer offer) {
    Offer.Builder summary =
        Offer.newBuilder()
            .setId(offer.getId())
            .setTitle(offer.getTitle())
            .setStatus(offer.getStatus())
            .addAllBanReasons(offer.getBanReasonsList());
    Timestamp expiresAt = offer.getExpiresAt();
    summary.setExpiresAt(expiresAt);
    OfferImage.firstPhoto(offer).ifPresent(summary::addPhotos);
    return summary;
  }
}
