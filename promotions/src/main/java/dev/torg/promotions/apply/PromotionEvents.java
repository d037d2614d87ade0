package dev.torg.promotions.apply;

import dev.torg.api.v1.PromotedService;
import dev.torg.api.v1.PromotionEvent;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.PromotionTopics;
import java.time.Instant;

/// The events on `torg.promotions`.
final class PromotionEvents {
  private PromotionEvents() {}

  static OutboxMessage of(EntityPromotions promotions, Instant now) {
    PromotionTarget target = promotions.target();
    PromotedEntity entity = target.entity();
    PromotionEvent.Builder event =
        PromotionEvent.newBuilder()
            .setEntityType(entity.type())
            .setEntityId(entity.id())
            .setSellerId(target.seller())
            .setSeq(target.seq())
            .setAt(EpochMicros.timestamp(now));
    target.raisedAt().ifPresent(at -> event.setRaisedAt(EpochMicros.timestamp(at)));
    promotions.services().forEach(service -> event.addServices(encode(service)));
    return new OutboxMessage(
        entity.home(),
        target.seq(),
        PromotionTopics.PROMOTIONS,
        entity.type() + ":" + entity.id(),
        event.build().toByteArray());
  }

  private static PromotedService encode(ActiveService service) {
    return PromotedService.newBuilder()
        .setService(service.service())
        .setSince(EpochMicros.timestamp(service.since()))
        .setUntil(EpochMicros.timestamp(service.until()))
        .build();
  }
}
