package dev.torg.alerts.backfill;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertProducer;
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

/// Collects which offers the scans of one run find for which subscriptions, and sends them: one alert
/// per reader and offer, or one record for more than 20 offers of a seller, as the matcher does for a
/// storm.
///
/// What belongs to a storm goes out only while the gate for storms is open. Otherwise it is left out and
/// its subscriptions are [#deferred]: they must stay and be served by a later run.
///
/// **Memory.** At most 5,000 offers are kept, and a bit per offer for each subscription of the run.
/// Blocks.
final class BackfillAlerts {
  static final int MAX_BUFFERED_OFFERS = 5_000;

  /// Alerts or records sent at once; the gate is asked before each such batch.
  private static final int MAX_BATCH_SIZE = 1_000;

  /// Offers of a seller that a reader is notified of one by one.
  private static final int MAX_SINGLE_OFFERS = 20;

  private final BackfillJob.Sending sending;
  private final StormStore store = new StormStore();
  private final AlertStormDetector storms = new AlertStormDetector();
  private final List<AlertContent> news = new ArrayList<>();
  private final Map<OfferId, Integer> indexes = new HashMap<>();
  private final Map<String, Map<SubscriptionBackfill, BitSet>> byReader = new LinkedHashMap<>();
  private final Set<SubscriptionBackfill> deferred = new HashSet<>();

  BackfillAlerts(BackfillJob.Sending sending) {
    this.sending = sending;
  }

  /// Two scans may find an offer for one reader, by the seller and by a search.
  void add(AlertContent found, Collection<SubscriptionBackfill> rows) {
    for (SubscriptionBackfill row : rows) {
      storms.count(reason(row), found.offer());
      byReader
          .computeIfAbsent(row.owner(), _ -> new LinkedHashMap<>())
          .computeIfAbsent(row, _ -> new BitSet())
          .set(index(found));
    }
    if (news.size() >= MAX_BUFFERED_OFFERS) {
      send();
    }
  }

  private int index(AlertContent found) {
    Integer known = indexes.putIfAbsent(found.offer(), news.size());
    if (known == null) {
      news.add(found);
      return news.size() - 1;
    }
    return known;
  }

  private static AlertReason reason(SubscriptionBackfill row) {
    return row.kind() == FavoriteKind.SELLER
        ? AlertReason.seller(row.target())
        : AlertReason.search(row.target());
  }

  /// Sends what was added since the last time.
  void send() {
    Batch batch = new Batch();
    byReader.forEach(batch::add);
    batch.send();
    news.clear();
    indexes.clear();
    byReader.clear();
  }

  /// Subscriptions for which something was left out.
  Set<SubscriptionBackfill> deferred() {
    return Collections.unmodifiableSet(deferred);
  }

  private final class Batch {
    private final List<Alert> ordinary = new ArrayList<>();
    private final List<Alert> stormy = new ArrayList<>();
    private final List<StormAlert> collapsed = new ArrayList<>();
    private final Map<String, Map<OfferId, Integer>> positions = new HashMap<>();

    void add(String reader, Map<SubscriptionBackfill, BitSet> rows) {
      Map<String, BitSet> bySeller = new LinkedHashMap<>();
      rows.values()
          .forEach(
              bits ->
                  bits.stream()
                      .forEach(
                          index ->
                              bySeller
                                  .computeIfAbsent(news.get(index).seller(), _ -> new BitSet())
                                  .set(index)));
      bySeller.forEach(
          (seller, indexes) -> {
            if (indexes.cardinality() > MAX_SINGLE_OFFERS) {
              addStorm(reader, seller, indexes, rows);
            } else {
              indexes.stream().forEach(index -> addSingle(reader, index, rows));
            }
          });
    }

    private void addSingle(String reader, int index, Map<SubscriptionBackfill, BitSet> rows) {
      Set<SubscriptionBackfill> concerned = new LinkedHashSet<>();
      rows.forEach(
          (row, bits) -> {
            if (bits.get(index)) {
              concerned.add(row);
            }
          });
      OfferId offer = news.get(index).offer();
      Alert alert = new Alert(reader, news.get(index), reasons(concerned, offer));
      if (!storms.isStorm(alert)) {
        ordinary.add(alert);
        sendIf(ordinary.size() == MAX_BATCH_SIZE);
      } else if (isOpen(concerned)) {
        stormy.add(alert);
        sendIf(stormSize() >= MAX_BATCH_SIZE);
      }
    }

    private void addStorm(
        String reader, String seller, BitSet indexes, Map<SubscriptionBackfill, BitSet> rows) {
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
                            .map(i -> Objects.requireNonNull(numbers.get(news.get(i).offer())))
                            .toArray())));
        Map<AlertReason, OfferPositions> matches = new LinkedHashMap<>();
        reasons(concerned.keySet(), news.get(indexes.nextSetBit(0)).offer())
            .forEach(reason -> matches.put(reason, Objects.requireNonNull(byReason.get(reason))));
        collapsed.addAll(new StormAlert(reader, seller, matches).inParts());
        sendIf(stormSize() >= MAX_BATCH_SIZE);
      }
    }

    /// Asked once for each batch.
    private boolean isOpen(Set<SubscriptionBackfill> rows) {
      boolean open = stormSize() > 0 || sending.letsStormsOut().getAsBoolean();
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
      sending.alerts().send(AlertProducer.NORMAL, List.copyOf(ordinary));
      sending.alerts().send(AlertProducer.STORM, List.copyOf(stormy));
      sending.storms().send(List.copyOf(collapsed));
      ordinary.clear();
      stormy.clear();
      collapsed.clear();
    }
  }

  /// The subscriptions that any of these offers was found for, each with those of them.
  private static Map<SubscriptionBackfill, BitSet> within(
      Map<SubscriptionBackfill, BitSet> rows, BitSet indexes) {
    Map<SubscriptionBackfill, BitSet> some = new LinkedHashMap<>();
    rows.forEach(
        (row, bits) -> {
          BitSet common = (BitSet) bits.clone();
          common.and(indexes);
          if (!common.isEmpty()) {
            some.put(row, common);
          }
        });
    return some;
  }

  private static Set<AlertReason> reasons(Set<SubscriptionBackfill> rows, OfferId offer) {
    ReasonRanking choice = new ReasonRanking();
    rows.forEach(row -> choice.add(reason(row), Delivery.DELIVERY_UNSPECIFIED));
    return choice.inOrder(offer);
  }

  /// Positions of all collected offers of a seller.
  private Map<OfferId, Integer> number(String seller) {
    List<StormStore.StormOffer> offers =
        news.stream()
            .filter(one -> one.seller().equals(seller))
            .map(one -> new StormStore.StormOffer(one.offer(), one.activatedAt()))
            .toList();
    return sending.database().inTransaction(tx -> store.number(tx, seller, offers));
  }
}
