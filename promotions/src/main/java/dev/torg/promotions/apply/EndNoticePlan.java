package dev.torg.promotions.apply;

import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.BellEntry;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.NotificationTopics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The entries of one seller: one per offer up to [#MAX_SINGLE_OFFERS] an hour, then one per hour that counts the others.
///
/// @param sentBefore offers that the seller was notified of in this hour
record EndNoticePlan(String seller, int sentBefore, DeliveryRequest delivery, Instant now) {
  /// Offers of an hour that have entries of their own.
  static final int MAX_SINGLE_OFFERS = 3;

  private static final int MAX_EXAMPLES = 3;
  private static final long SECONDS_PER_HOUR = Duration.ofHours(1).toSeconds();

  /// Hours are those of UTC.
  static int hour(Instant now) {
    return (int) (now.getEpochSecond() / SECONDS_PER_HOUR);
  }

  List<BellEntry> entries(List<EndedOffer> ended, EndTexts texts) {
    return sentBefore + ended.size() > MAX_SINGLE_OFFERS
        ? List.of(many(ended, texts))
        : ended.stream().map(offer -> one(offer, texts)).toList();
  }

  /// The entry does not refer to the offer by its column: a ban withdraws unread entries that do.
  private BellEntry one(EndedOffer ended, EndTexts texts) {
    return new NewNotification(
        seller,
        "promotion-ended:" + ended.offer().getId() + ":" + ended.seq(),
        NotificationTopics.PROMOTIONS,
        now,
        null,
        texts.one(ended),
        delivery);
  }

  /// The key contains the seller, so that a login merge does not mistake it for an entry of the login.
  private BellEntry many(List<EndedOffer> ended, EndTexts texts) {
    List<String> examples =
        ended.stream().limit(MAX_EXAMPLES).map(offer -> offer.offer().getTitle()).toList();
    return new AggregatedNotification(
        seller,
        "promotions-ended:" + seller + ":" + hour(now),
        NotificationTopics.PROMOTIONS,
        now,
        ended.size(),
        count -> texts.many(count, examples),
        delivery);
  }
}
