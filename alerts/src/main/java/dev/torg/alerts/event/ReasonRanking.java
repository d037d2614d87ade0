package dev.torg.alerts.event;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.platform.OfferId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// Sorts the reasons of one recipient, best first: an alert names 20.
///
/// A seller or saved offer precedes searches, INSTANT precedes DAILY, and OFF is last, as far as the
/// projection knows; the recipient's own rows decide at delivery. Ties are broken by a hash of offer and
/// search: the order is the same whenever the alert is created again, and over many offers every search
/// is named.
public final class ReasonRanking {
  private final Map<AlertReason, Delivery> deliveries = new LinkedHashMap<>();

  public void add(AlertReason reason, Delivery delivery) {
    deliveries.merge(
        reason, delivery, (former, added) -> rank(added) < rank(former) ? added : former);
  }

  public Set<AlertReason> inOrder(OfferId offer) {
    Set<AlertReason> ordered = new LinkedHashSet<>();
    deliveries.entrySet().stream()
        .sorted((first, second) -> compare(first, second, offer))
        .forEach(e -> ordered.add(e.getKey()));
    return ordered;
  }

  /// Negative if an alert of this offer names the first one rather than the second.
  static int compare(
      Map.Entry<AlertReason, Delivery> first,
      Map.Entry<AlertReason, Delivery> second,
      OfferId offer) {
    AlertReason left = first.getKey();
    AlertReason right = second.getKey();
    int order =
        Boolean.compare(
            left.kind() == AlertReason.Kind.SEARCH, right.kind() == AlertReason.Kind.SEARCH);
    order = order != 0 ? order : Integer.compare(rank(first.getValue()), rank(second.getValue()));
    order = order != 0 ? order : Long.compare(tieBreaker(left, offer), tieBreaker(right, offer));
    return order != 0 ? order : left.id().compareTo(right.id());
  }

  private static int rank(Delivery delivery) {
    return switch (delivery) {
      case INSTANT -> 0;
      case DAILY -> 1;
      case DELIVERY_UNSPECIFIED, UNRECOGNIZED -> 2;
      case OFF -> 3;
    };
  }

  /// Evenly distributed, and always the same for a search and an offer.
  private static long tieBreaker(AlertReason reason, OfferId offer) {
    long mixed = (reason.id().hashCode() * 0x9E3779B97F4A7C15L) ^ offer.number();
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return mixed ^ (mixed >>> 32);
  }
}
