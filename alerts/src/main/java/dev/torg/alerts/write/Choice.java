package dev.torg.alerts.write;

import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.Reason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.Rule;
import java.util.List;

/// An alert that is going to be told, the offer as it is now, and the reader's rules that hold for
/// it, the deciding one first: INSTANT before DAILY.
record Choice(Alert alert, Offer offer, List<Held> held) {
  /// A reason and the rule behind it.
  record Held(Reason reason, Rule rule) {}

  Choice {
    held = List.copyOf(held);
  }

  Held first() {
    return held.getFirst();
  }

  boolean isInstant() {
    return first().rule().delivery() == Delivery.INSTANT;
  }

  String reader() {
    return alert.reader();
  }
}
