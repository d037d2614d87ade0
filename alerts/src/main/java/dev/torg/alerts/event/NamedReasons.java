package dev.torg.alerts.event;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.platform.OfferId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The reasons of one recipient that an alert of one offer names, chosen while they are found: the first
/// 20 in the order of [ReasonRanking], whatever order they are added in. Others are not kept in memory;
/// the alert only states that there are more.
public final class NamedReasons {
  private final OfferId offer;
  private final List<Map.Entry<AlertReason, Delivery>> best = new ArrayList<>();
  private boolean truncated;

  public NamedReasons(OfferId offer) {
    this.offer = offer;
  }

  /// A reason that is added twice counts once, with its better delivery.
  public void add(AlertReason reason, Delivery delivery) {
    Map.Entry<AlertReason, Delivery> added = Map.entry(reason, delivery);
    boolean known =
        best.stream().anyMatch(e -> e.getKey().equals(reason) && compare(e, added) <= 0);
    if (!known) {
      best.removeIf(e -> e.getKey().equals(reason));
      insert(added);
    }
  }

  private void insert(Map.Entry<AlertReason, Delivery> added) {
    int at = best.size();
    while (at > 0 && compare(added, best.get(at - 1)) < 0) {
      at--;
    }
    best.add(at, added);
    if (best.size() > Alert.MAX_REASONS) {
      best.removeLast();
      truncated = true;
    }
  }

  private int compare(
      Map.Entry<AlertReason, Delivery> first, Map.Entry<AlertReason, Delivery> second) {
    return ReasonRanking.compare(first, second, offer);
  }

  /// The number of reasons in memory.
  public int size() {
    return best.size();
  }

  /// The alert with these reasons, followed by `others` as far as there is room.
  public Alert alert(String recipient, AlertContent content, Collection<AlertReason> others) {
    Set<AlertReason> reasons = new LinkedHashSet<>();
    best.forEach(e -> reasons.add(e.getKey()));
    others.stream().limit(Alert.MAX_REASONS + 1L).forEach(reasons::add);
    return new Alert(recipient, content, reasons, truncated);
  }
}
