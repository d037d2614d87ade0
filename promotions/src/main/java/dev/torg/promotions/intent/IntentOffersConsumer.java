package dev.torg.promotions.intent;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.offers.OfferTopics;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.CrossPartitionBatcher;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Wakes intents that wait for an offer when `torg.offers` reports that one with their external id has become active.
/// Other changes, which are nearly all, cost no statement. Blocks.
public final class IntentOffersConsumer implements EventHandler {
  private static final String GROUP = "promotions.intents.offers";

  private final IntentService intents;

  public IntentOffersConsumer(IntentService intents) {
    this.intents = intents;
  }

  public ConsumerBinding binding() {
    return new ConsumerBinding(
        ConsumerSpec.of(GROUP, OfferTopics.OFFERS), new CrossPartitionBatcher(this));
  }

  @Override
  public void handle(List<Event> events) throws InvalidProtocolBufferException {
    Set<IntentKey> appeared = new LinkedHashSet<>();
    for (Event event : events) {
      OfferEvent change = OfferEvent.parseFrom(event.payload());
      if (hasAppeared(change)) {
        Offer offer = change.getAfter();
        appeared.add(new IntentKey(offer.getSellerId(), offer.getExternalId()));
      }
    }
    intents.offersAppeared(appeared);
  }

  /// The offer becomes active, or an active one receives another external id.
  private static boolean hasAppeared(OfferEvent change) {
    Offer offer = change.getAfter();
    if (offer.getExternalId().isEmpty() || offer.getStatus() != Offer.Status.ACTIVE) {
      return false;
    }
    return !change.hasBefore()
        || change.getBefore().getStatus() != Offer.Status.ACTIVE
        || change.getChangedList().contains("externalId");
  }
}
