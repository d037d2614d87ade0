package dev.torg.alerts.seller;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.torg.alerts.text.SellerNoticeKind;
import dev.torg.alerts.text.SellerNoticeTexts;
import dev.torg.api.v1.FeedTask;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.BellEntry;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.NotificationTopics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The entries for the events of one seller and kind: one per offer or feed up to [#MAX_SINGLE_EVENTS] an hour, then one
/// per hour that counts the others. Failed photos of one offer are one entry, however many they are.
///
/// @param sentBefore events of this kind that the seller was notified of in this hour
record NoticePlan(
    String seller, SellerNoticeKind kind, int sentBefore, DeliveryRequest delivery, Instant now) {
  /// Events of an hour that have entries of their own.
  static final int MAX_SINGLE_EVENTS = 3;

  private static final int MAX_EXAMPLES = 3;
  private static final long SECONDS_PER_HOUR = Duration.ofHours(1).toSeconds();

  /// Hours are those of UTC.
  static int hour(Instant now) {
    return (int) (now.getEpochSecond() / SECONDS_PER_HOUR);
  }

  /// @param notices of the seller and kind
  List<BellEntry> entries(List<SellerNotice> notices, SellerNoticeTexts texts) {
    if (kind.isOfFeed()) {
      return sentBefore + notices.size() > MAX_SINGLE_EVENTS
          ? List.of(many(notices, List.of(), texts))
          : notices.stream().map(notice -> ofFeed(notice, texts)).toList();
    }
    Map<String, List<SellerNotice>> byOffer = new LinkedHashMap<>();
    notices.forEach(
        notice ->
            byOffer.computeIfAbsent(parse(notice).getId(), _ -> new ArrayList<>()).add(notice));
    boolean isSingle =
        sentBefore + notices.size() <= MAX_SINGLE_EVENTS
            || (sentBefore == 0 && byOffer.size() == 1);
    return isSingle
        ? byOffer.values().stream().map(ofOne -> ofOffer(ofOne, texts)).toList()
        : List.of(many(notices, titles(byOffer), texts));
  }

  private BellEntry ofOffer(List<SellerNotice> notices, SellerNoticeTexts texts) {
    Offer offer = parse(notices.getLast());
    return single(
        notices.getFirst(),
        switch (kind) {
          case OFFER_BANNED -> texts.banned(offer);
          case OFFER_UNBANNED -> texts.unbanned(offer);
          case OFFER_EXPIRES_SOON -> texts.expiresSoon(offer, now);
          case OFFER_EXPIRED -> texts.expired(offer);
          case PHOTOS_FAILED -> texts.photosFailed(offer, errors(notices));
          case FEED_FINISHED, FEED_STOPPED ->
              throw new IllegalStateException(kind + " is not about an offer");
        });
  }

  private BellEntry ofFeed(SellerNotice notice, SellerNoticeTexts texts) {
    FeedTask task = parse(FeedTask.parser(), notice);
    return single(
        notice,
        kind == SellerNoticeKind.FEED_FINISHED
            ? texts.feedFinished(task)
            : texts.feedStopped(task));
  }

  /// The entry does not refer to the offer by its column: a ban withdraws unread entries that do.
  private BellEntry single(SellerNotice notice, Notification content) {
    return new NewNotification(
        seller,
        "own:" + kind + ":" + notice.subject(),
        NotificationTopics.OFFERS,
        now,
        null,
        content,
        delivery);
  }

  /// The key contains the seller, so that the entry of one identity is not mistaken for that of another.
  private BellEntry many(
      List<SellerNotice> notices, List<String> examples, SellerNoticeTexts texts) {
    return new AggregatedNotification(
        seller,
        "own:" + seller + ":" + kind + ":" + hour(now),
        NotificationTopics.OFFERS,
        now,
        notices.size(),
        count -> texts.many(kind, count, examples),
        delivery);
  }

  private static List<String> titles(Map<String, List<SellerNotice>> byOffer) {
    return byOffer.values().stream()
        .limit(MAX_EXAMPLES)
        .map(ofOne -> parse(ofOne.getFirst()).getTitle())
        .toList();
  }

  private static List<String> errors(List<SellerNotice> notices) {
    return notices.stream()
        .flatMap(notice -> parse(notice).getPhotosList().stream())
        .filter(photo -> photo.getStatus() == Photo.Status.FAILED)
        .map(Photo::getError)
        .toList();
  }

  private static Offer parse(SellerNotice notice) {
    return parse(Offer.parser(), notice);
  }

  private static <T extends MessageLite> T parse(Parser<T> parser, SellerNotice notice) {
    try {
      return parser.parseFrom(notice.body());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored notice cannot be read: " + notice.subject(), e);
    }
  }
}
