package dev.torg.alerts.backfill;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertStormDetector;
import dev.torg.alerts.event.OfferPositions;
import dev.torg.alerts.event.ReasonRanking;
import dev.torg.alerts.event.StormAlert;
import dev.torg.alerts.storm.StormStore;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.SubscriptionBackfill;
import dev.torg.platform.OfferId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Collects the offers that the scans of one run match for subscriptions, and sends them: one alert per
/// recipient and offer, or one record for more than 20 offers of a seller, as the matcher does for a
/// storm.
///
/// Storms are sent only while backpressure allows it. Otherwise they are omitted and their subscriptions
/// are [#deferred]: these must stay and be served by a later run.
///
/// **Memory.** At most 5,000 offers are buffered, and a bit per offer for each subscription of the run.
/// Blocks.
final class BackfillAlerts {
  static final int MAX_BUFFERED_OFFERS = 5_000;

  /// Alerts or records per batch; backpressure is checked before each batch.
  private static final int MAX_BATCH_SIZE = 1_000;

  /// Offers of a seller that a recipient is notified of one by one.
  private static final int MAX_SINGLE_OFFERS = AlertStormDetector.STORM_THRESHOLD_OFFERS;

  private final BackfillJob.Sending sending;
  private final StormStore store = new StormStore();
  private final AlertStormDetector stormDetector = new AlertStormDetector();
  private final List<AlertContent> contents = new ArrayList<>();
  private final Map<OfferId, Integer> indexes = new HashMap<>();
  private final Map<String, Map<SubscriptionBackfill, BitSet>> byRecipient = new LinkedHashMap<>();
  private final Set<SubscriptionBackfill> deferred = new HashSet<>();

  BackfillAlerts(BackfillJob.Sending sending) {
    this.sending = sending;
  }

  /// Two scans may match an offer for one recipient, by the seller and by a search.
  void add(AlertContent content, Collection<SubscriptionBackfill> rows) {
    for (SubscriptionBackfill row : rows) {
      stormDetector.count(reason(row), content.offer());
      byRecipient
          .computeIfAbsent(row.owner(), _ -> new LinkedHashMap<>())
          .computeIfAbsent(row, _ -> new BitSet())
          .set(index(content));
    }
    if (contents.size() >= MAX_BUFFERED_OFFERS) {
      send();
    }
  }

  private int index(AlertContent content) {
    Integer existing = indexes.putIfAbsent(content.offer(), contents.size());
    if (existing == null) {
      contents.add(content);
      return contents.size() - 1;
    }
    return existing;
  }

  private static AlertReason reason(SubscriptionBackfill row) {
    return row.kind() == FavoriteKind.SELLER
        ? AlertReason.seller(row.target())
        : AlertReason.search(row.target());
  }

  /// Sends everything added since the last call.
  void send() {
    Batch batch = new Batch();
    byRecipient.forEach(batch::add);
    batch.send();
    contents.clear();
    indexes.clear();
    byRecipient.clear();
  }

  /// Subscriptions with omitted alerts.
  Set<SubscriptionBackfill> deferred() {
    return Collections.unmodifiableSet(deferred);
  }

  private final class Batch {
    private final List<Alert> ordinary = new ArrayList<>();
    private final List<Alert> stormy = new ArrayList<>();
    private final List<StormAlert> collapsed = new ArrayList<>();
    private final Map<String, Map<OfferId, Integer>> positions = new HashMap<>();

    void add(String recipient, Map<SubscriptionBackfill, BitSet> rows) {
      Map<String, BitSet> bySeller = new LinkedHashMap<>();
      rows.values()
          .forEach(
              bits ->
                  bits.stream()
                      .forEach(
                          index ->
                              bySeller
                                  .computeIfAbsent(contents.get(index).seller(), _ -> new BitSet())
                                  .set(index)));
      bySeller.forEach(
          (seller, indexes) -> {
            if (indexes.cardinality() > MAX_SINGLE_OFFERS) {
              addStorm(recipient, seller, indexes, rows);
            } else {
              indexes.stream().forEach(index -> addSingle(recipient, index, rows));
            }
          });
    }

    private void addSingle(String recipient, int index, Map<SubscriptionBackfill, BitSet> rows) {
      Set<SubscriptionBackfill> concerned = new LinkedHashSet<>();
      rows.forEach(
          (row, bits) -> {
            if (bits.get(index)) {
              concerned.add(row);
            }
          });
      OfferId offer = contents.get(index).offer();
      Alert alert = new Alert(recipient, contents.get(index), reasons(concerned, offer));
      if (!stormDetector.isStorm(alert)) {
        ordinary.add(alert);
        sendIf(ordinary.size() == MAX_BATCH_SIZE);
      } else if (isOpen(concerned)) {
        stormy.add(alert);
        sendIf(stormSize() >= MAX_BATCH_SIZE);
      }
    }

    private void addStorm(
        String recipient, String seller, BitSet indexes, Map<SubscriptionBackfill, BitSet> rows) {
      Map<SubscriptionBackfill, BitSet> concerned = within(rows, indexes);
      if (isOpen(concerned.keySet())) {
        Map<OfferId, Integer> numbers =
            positions.computeIfAbsent(seller, BackfillAlerts.this::number);
        Map<AlertReason, OfferPositions> byReason = new HashMap<>();
        concerned.forEach(
            (row, bits) ->
                byReason.put(
                    reason(row),
                    OfferPositions.of(
                        bits.stream()
                            .map(i -> Objects.requireNonNull(numbers.get(contents.get(i).offer())))
                            .toArray())));
        Map<AlertReason, OfferPositions> matches = new LinkedHashMap<>();
        reasons(concerned.keySet(), contents.get(indexes.nextSetBit(0)).offer())
            .forEach(reason -> matches.put(reason, Objects.requireNonNull(byReason.get(reason))));
        collapsed.addAll(new StormAlert(recipient, seller, matches).inParts());
        sendIf(stormSize() >= MAX_BATCH_SIZE);
      }
    }

    /// Checked once per batch.
    private boolean isOpen(Set<SubscriptionBackfill> rows) {
      boolean open = stormSize() > 0 || sending.allowsStorms().getAsBoolean();
      if (!open) {
        deferred.addAll(rows);
      }
      return open;
    }

    private int stormSize() {
      return stormy.size() + collapsed.size();
    }

    private void sendIf(boolean full) {
      if (full) {
        send();
      }
    }

    void send() {
      sending.alerts().send(AlertTopics.NORMAL, List.copyOf(ordinary));
      sending.alerts().send(AlertTopics.STORM, List.copyOf(stormy));
      sending.storms().send(List.copyOf(collapsed));
      ordinary.clear();
      stormy.clear();
      collapsed.clear();
    }
  }

  /// The subscriptions matched by any of these offers, each with those offers.
  private static Map<SubscriptionBackfill, BitSet> within(
      Map<SubscriptionBackfill, BitSet> rows, BitSet indexes) {
    Map<SubscriptionBackfill, BitSet> matched = new LinkedHashMap<>();
    rows.forEach(
        (row, bits) -> {
          BitSet common = (BitSet) bits.clone();
          common.and(indexes);
          if (!common.isEmpty()) {
            matched.put(row, common);
          }
        });
    return matched;
  }

  private static Set<AlertReason> reasons(Set<SubscriptionBackfill> rows, OfferId offer) {
    ReasonRanking ranking = new ReasonRanking();
    rows.forEach(row -> ranking.add(reason(row), Delivery.DELIVERY_UNSPECIFIED));
    return ranking.inOrder(offer);
  }

  /// Positions of all collected offers of a seller.
  private Map<OfferId, Integer> number(String seller) {
    List<StormStore.StormOffer> offers =
        contents.stream()
            .filter(content -> content.seller().equals(seller))
            .map(content -> new StormStore.StormOffer(content.offer(), content.activatedAt()))
            .toList();
    return sending.database().inTransaction(tx -> store.number(tx, seller, offers));
  }
}
