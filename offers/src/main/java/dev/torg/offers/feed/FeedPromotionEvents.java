package dev.torg.offers.feed;

import dev.torg.api.v1.FeedPromotion;
import dev.torg.api.v1.FeedPromotionsEvent;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.feed.ChunkPlan.ItemPromotion;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.platform.outbox.OutboxSequence;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/// Announces the promotion services that the items of a chunk ask for, in the transaction of the chunk: one event for all
/// of them.
///
/// Events about one item are ordered by the time at which they are appended, while the transaction holds the item's lock:
/// the chunks of an upload follow each other in the item's lane, and a concurrent task waits for the lock. The order of
/// events about different items has no meaning.
final class FeedPromotionEvents {
  private final Outbox outbox;

  FeedPromotionEvents(Outbox outbox) {
    this.outbox = outbox;
  }

  /// @param now read after the items were locked
  void append(Tx tx, StoredFeedTask.Key task, List<ItemPromotion> items, Instant now)
      throws SQLException {
    if (!items.isEmpty()) {
      outbox.append(tx, List.of(message(task, items, EpochMicros.of(now))));
    }
  }

  private static OutboxMessage message(
      StoredFeedTask.Key task, List<ItemPromotion> items, long at) {
    long seq = OutboxSequence.withRandomOffset(at);
    FeedPromotionsEvent event =
        FeedPromotionsEvent.newBuilder()
            .setSellerId(task.seller())
            .setSeq(seq)
            .setAt(EpochMicros.timestamp(at))
            .setTaskId(task.taskId())
            .addAllItems(items.stream().map(FeedPromotionEvents::encode).toList())
            .build();
    return new OutboxMessage(
        task.home(), seq, OfferTopics.FEED_PROMOTIONS, task.seller(), event.toByteArray());
  }

  private static FeedPromotion encode(ItemPromotion item) {
    return FeedPromotion.newBuilder()
        .setExternalId(item.externalId())
        .setOfferId(item.offer().toString())
        .addAllServices(item.services())
        .build();
  }
}
