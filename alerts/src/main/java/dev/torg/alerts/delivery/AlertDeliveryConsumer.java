package dev.torg.alerts.delivery;

import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.eligibility.CandidateAlert;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.StormAlert;
import dev.torg.alerts.storm.StormStore;
import dev.torg.api.v1.AlertEvent;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.favorites.LoginMerges;
import dev.torg.notifications.Bell;
import dev.torg.offers.Offers;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Delivers alerts, to many recipients in one transaction, or shard by shard where tables are distributed.
/// Alerts may be duplicated, late, or sent by a fenced-off process: the recipient's own rows decide.
///
/// **Bans.** Offers are read just before the transaction and again after it. A ban committed before the
/// second read is seen by it, and the notification is withdrawn here; the event of a later ban finds the
/// notification. An alert about a banned offer withdraws what an earlier attempt, interrupted between the
/// two, may have left.
public final class AlertDeliveryConsumer implements EventHandler {
  private static final int WITHDRAWAL_PAGE_SIZE = 500;

  /// An anonymous identity is merged into a login once.
  private static final int MAX_MERGES = 2;

  /// Positions are read again if the storm has assigned more since.
  private static final int MAX_STORM_TRIES = 10;

  private final Database database;
  private final Offers offers;
  private final LoginMerges merges;
  private final Bell bell;
  private final AlertDeliveryWriter writer;
  private final StormDelivery storms;
  private final InstantSource clock;
  private final AlertMetrics metrics;
  private final StormStore stormStore = new StormStore();

  public AlertDeliveryConsumer(
      Database database, Offers offers, LoginMerges merges, DeliveryContext context) {
    this.database = database;
    this.offers = offers;
    this.merges = merges;
    this.bell = context.bell();
    this.writer = new AlertDeliveryWriter(context, offers.categories());
    this.clock = context.clock();
    this.storms =
        new StormDelivery(database, offers, merges, new StormDeliveryWriter(context), clock);
    this.metrics = context.metrics();
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    Map<Subject, Alert> alerts = new LinkedHashMap<>();
    List<StormAlert> collapsed = new ArrayList<>();
    for (Event event : events) {
      AlertEvent received = AlertEvent.parseFrom(event.payload());
      if (received.getType() == AlertEvent.Type.STORM) {
        collapsed.add(StormAlert.of(received));
      } else {
        Alert alert = Alert.of(received);
        alerts.merge(Subject.of(alert), alert, Alert::with);
      }
    }
    deliver(alerts.values(), 0);
    storms.deliver(collapsed);
  }

  /// The subject of an alert, by which alerts are merged.
  private record Subject(String recipient, OfferId offer, AlertEvent.Type type) {
    static Subject of(Alert alert) {
      return new Subject(alert.recipient(), alert.content().offer(), alert.content().type());
    }
  }

  private void deliver(Collection<Alert> alerts, int mergesBefore) {
    Map<OfferId, Offer> offersById = find(alerts);
    withdrawBanned(alerts, offersById);
    List<CandidateAlert> candidates = candidates(alerts, offersById);
    Map<String, String> mergedInto = deliver(candidates);
    if (!candidates.isEmpty()) {
      List<Alert> delivered = candidates.stream().map(CandidateAlert::alert).toList();
      withdrawBanned(delivered, find(delivered));
    }
    if (!mergedInto.isEmpty() && mergesBefore < MAX_MERGES) {
      deliver(toLogins(candidates, mergedInto.keySet()), mergesBefore + 1);
    }
  }

  /// Returns the recipients who were merged into a login. Alerts that a storm may have overtaken are
  /// retried with the positions read again.
  private Map<String, String> deliver(List<CandidateAlert> candidates) {
    Map<String, String> mergedInto = new HashMap<>();
    List<CandidateAlert> remaining = candidates;
    for (int tries = 0; !remaining.isEmpty(); tries++) {
      if (tries == MAX_STORM_TRIES) {
        throw new IllegalStateException("storms keep overtaking " + remaining.size() + " alerts");
      }
      StormStore.NumberedOffers numbered = stormStore.numbered(database, sold(remaining));
      Set<Alert> unsure = new HashSet<>();
      for (AlertDeliveryWriter.Unfinished unfinished : deliver(remaining, numbered)) {
        mergedInto.putAll(unfinished.mergedInto());
        unsure.addAll(unfinished.unsure());
      }
      remaining =
          remaining.stream().filter(candidate -> unsure.contains(candidate.alert())).toList();
    }
    return mergedInto;
  }

  private List<AlertDeliveryWriter.Unfinished> deliver(
      List<CandidateAlert> candidates, StormStore.NumberedOffers numbered) {
    return EachShard.map(
        database.shards().split(candidates, candidate -> candidate.alert().home()),
        shard -> database.inTransaction(tx -> writer.deliver(tx, shard, numbered)));
  }

  private static List<StormStore.Sold> sold(List<CandidateAlert> candidates) {
    return candidates.stream()
        .map(candidate -> candidate.alert().content())
        .filter(AlertContent::isNew)
        .map(content -> new StormStore.Sold(content.offer(), content.seller()))
        .toList();
  }

  private Map<OfferId, Offer> find(Collection<Alert> alerts) {
    Set<OfferId> ids =
        alerts.stream()
            .map(a -> a.content().offer())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return offers.find(ids).join();
  }

  private List<CandidateAlert> candidates(
      Collection<Alert> alerts, Map<OfferId, Offer> offersById) {
    List<CandidateAlert> candidates = new ArrayList<>();
    for (Alert alert : alerts) {
      Offer offer = offersById.get(alert.content().offer());
      Optional<String> dropped = AlertEligibility.dropReason(alert, offer, clock.instant());
      dropped.ifPresent(metrics::dropped);
      if (offer != null && dropped.isEmpty()) {
        candidates.add(new CandidateAlert(alert, offer));
      }
    }
    return candidates;
  }

  /// The merge is completed first, so that the login's deduplication rows are complete.
  private List<Alert> toLogins(List<CandidateAlert> candidates, Set<String> merged) {
    Map<String, Optional<String>> logins = new HashMap<>();
    List<Alert> redirected = new ArrayList<>();
    for (CandidateAlert candidate : candidates) {
      String recipient = candidate.alert().recipient();
      if (merged.contains(recipient)) {
        logins
            .computeIfAbsent(recipient, merges::loginOf)
            .ifPresent(login -> redirected.add(candidate.alert().to(login)));
      }
    }
    return merged(redirected);
  }

  private static List<Alert> merged(List<Alert> alerts) {
    Map<Subject, Alert> merged = new LinkedHashMap<>();
    alerts.forEach(alert -> merged.merge(Subject.of(alert), alert, Alert::with));
    return List.copyOf(merged.values());
  }

  private record HomeAndOffer(Home home, OfferId offer) {}

  private void withdrawBanned(Collection<Alert> alerts, Map<OfferId, Offer> offersById) {
    Set<HomeAndOffer> bannedOffers = new LinkedHashSet<>();
    for (Alert alert : alerts) {
      Offer offer = offersById.get(alert.content().offer());
      if (offer != null && offer.getStatus() == Status.BANNED) {
        bannedOffers.add(new HomeAndOffer(alert.home(), alert.content().offer()));
      }
    }
    for (HomeAndOffer banned : bannedOffers) {
      boolean more = true;
      while (more) {
        more =
            database
                .inTransaction(
                    tx -> bell.withdraw(tx, banned.home(), banned.offer(), WITHDRAWAL_PAGE_SIZE))
                .mayBeMore();
      }
    }
  }
}
