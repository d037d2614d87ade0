package dev.torg.promotions.apply;

import dev.torg.promotions.PromotedEntity;
import java.util.Set;

/// The services of an entity whose time had come, as a transaction has ended them.
///
/// @param seq of the event that reports it
record EndedServices(PromotedEntity entity, String seller, long seq, Set<String> services) {
  EndedServices {
    services = Set.copyOf(services);
  }

  static EndedServices of(EntityPromotions changed) {
    PromotionTarget target = changed.target();
    return new EndedServices(target.entity(), target.seller(), target.seq(), changed.removed());
  }
}
