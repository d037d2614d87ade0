package dev.torg.promotions.intent;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.FeedPromotion;
import dev.torg.api.v1.FeedPromotionsEvent;
import dev.torg.offers.OfferTopics;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.CrossPartitionBatcher;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import java.util.ArrayList;
import java.util.List;

/// Stores the intents that items of feeds state. One event names up to a chunk of items. Blocks.
public final class FeedIntentsConsumer implements EventHandler {
  private static final String GROUP = "promotions.intents.feeds";

  /// An event has up to hundreds of intents.
  private static final int BATCH_EVENTS = 20;

  private final IntentService intents;

  public FeedIntentsConsumer(IntentService intents) {
    this.intents = intents;
  }

  public ConsumerBinding binding() {
    return new ConsumerBinding(
        ConsumerSpec.of(GROUP, OfferTopics.FEED_PROMOTIONS).withBatch(BATCH_EVENTS),
        new CrossPartitionBatcher(this));
  }

  @Override
  public void handle(List<Event> events) throws InvalidProtocolBufferException {
    List<IntentArrival> arrivals = new ArrayList<>();
    for (Event event : events) {
      FeedPromotionsEvent feed = FeedPromotionsEvent.parseFrom(event.payload());
      feed.getItemsList().forEach(item -> arrivals.add(arrival(feed, item)));
    }
    intents.arrive(arrivals);
  }

  private static IntentArrival arrival(FeedPromotionsEvent feed, FeedPromotion item) {
    return new IntentArrival(
        new IntentKey(feed.getSellerId(), item.getExternalId()),
        item.getServicesList(),
        feed.getSeq());
  }
}
