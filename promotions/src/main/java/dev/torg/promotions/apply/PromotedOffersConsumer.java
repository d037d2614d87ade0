package dev.torg.promotions.apply;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.OfferEvent;
import dev.torg.offers.OfferTopics;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.CrossPartitionBatcher;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.promotions.PromotedEntity;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Follows the status of offers that are or were promoted. Services of an offer that is banned, sold or removed end early;
/// of one that is withdrawn or has expired they keep running. Events of other offers, which are nearly all, cost one
/// statement per batch.
public final class PromotedOffersConsumer implements EventHandler {
  private static final String GROUP = "promotions.offers";

  private final Database database;
  private final PromotionWriter writer;
  private final InstantSource clock;

  public PromotedOffersConsumer(Database database, PromotionWriter writer, InstantSource clock) {
    this.database = database;
    this.writer = writer;
    this.clock = clock;
  }

  public ConsumerBinding binding() {
    return new ConsumerBinding(
        ConsumerSpec.of(GROUP, OfferTopics.OFFERS), new CrossPartitionBatcher(this));
  }

  @Override
  public void handle(List<Event> events) throws InvalidProtocolBufferException {
    Map<PromotedEntity, EntityState> latest = new HashMap<>();
    for (Event event : events) {
      OfferEvent change = OfferEvent.parseFrom(event.payload());
      if (change.hasAfter()) {
        latest.merge(
            PromotedEntity.of(OfferId.parse(change.getOfferId())),
            EntityState.of(change.getAfter()),
            (one, other) -> one.version() > other.version() ? one : other);
      }
    }
    EachShard.run(
        database.shards().split(latest.entrySet(), entry -> entry.getKey().home()),
        ofShard -> database.transact(tx -> writer.report(tx, map(ofShard), clock.instant())));
  }

  private static Map<PromotedEntity, EntityState> map(
      List<Map.Entry<PromotedEntity, EntityState>> entries) {
    Map<PromotedEntity, EntityState> states = new HashMap<>();
    entries.forEach(entry -> states.put(entry.getKey(), entry.getValue()));
    return states;
  }
}
