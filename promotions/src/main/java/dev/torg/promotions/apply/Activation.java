package dev.torg.promotions.apply;

import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.ServiceTerm;
import java.util.List;

/// Services to be activated for an entity, all or nothing.
///
/// @param offer the entity's state, read before the transaction
/// @param services the bought one first, followed by the parts of a bundle
/// @param source the payment or the reference in the ledger that pays for it
public record Activation(
    PromotedEntity entity, EntityState offer, List<ServiceTerm> services, String source) {
  public Activation {
    services = List.copyOf(services);
  }
}
