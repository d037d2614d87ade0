package dev.torg.promotions.intent;

import dev.torg.api.v1.Offer;
import dev.torg.offers.ExternalId;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.apply.EntityState;
import dev.torg.promotions.apply.PromotionWriter;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds the offers of intents, in their current state. Blocks.
final class IntentOffers {
  private final Database database;
  private final Offers offers;
  private final PromotionWriter promotions;

  IntentOffers(Database database, Offers offers, PromotionWriter promotions) {
    this.database = database;
    this.offers = offers;
    this.promotions = promotions;
  }

  /// The active offers. They are watched before they are read: a change of status that this read does not see is recorded.
  Map<IntentKey, Offer> of(Collection<Intent> intents) {
    List<ExternalId> externalIds = intents.stream().map(intent -> intent.key().ofOffer()).toList();
    Map<ExternalId, OfferId> ids = offers.activeByExternalId(externalIds);
    watch(ids);
    Map<OfferId, Offer> found = offers.find(ids.values()).join();
    Map<IntentKey, Offer> result = new HashMap<>();
    ids.forEach(
        (externalId, id) -> {
          Offer offer = found.get(id);
          if (offer != null && isOf(offer, externalId)) {
            result.put(new IntentKey(externalId.seller(), externalId.id()), offer);
          }
        });
    return result;
  }

  /// With version 0, which is before every change that is reported.
  private void watch(Map<ExternalId, OfferId> ids) {
    Map<PromotedEntity, EntityState> states = new HashMap<>();
    ids.forEach(
        (externalId, id) ->
            states.put(
                PromotedEntity.of(id),
                new EntityState(Offer.Status.ACTIVE, 0, externalId.seller())));
    EachShard.run(
        database.shards().split(states.entrySet(), entry -> entry.getKey().home()),
        ofShard ->
            database.transact(
                tx -> {
                  Map<PromotedEntity, EntityState> part = new HashMap<>();
                  ofShard.forEach(entry -> part.put(entry.getKey(), entry.getValue()));
                  promotions.watch(tx, part);
                }));
  }

  /// The offer may have changed between the two reads.
  private static boolean isOf(Offer offer, ExternalId externalId) {
    return offer.getStatus() == Offer.Status.ACTIVE
        && offer.getSellerId().equals(externalId.seller())
        && offer.getExternalId().equals(externalId.id());
  }
}
