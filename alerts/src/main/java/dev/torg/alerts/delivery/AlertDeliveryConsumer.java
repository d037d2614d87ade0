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
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.queries.PriceHash;
import java.time.Instant;
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

/// Delivers alerts, to many recipients in one transaction, or home by home where tables are distributed.
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
  private final boolean distributed;
  private final Offers offers;
  private final LoginMerges merges;
  private final Bell bell;
  private final AlertDeliveryWriter writer;
  private final StormDelivery storms;
  private final InstantSource clock;
  private final AlertMetrics metrics;
  private final StormStore stormStore = new StormStore();

  public AlertDeliveryConsumer(
      Database database,
      Offers offers,
      LoginMerges merges,
      Bell bell,
      AlertDeliveryWriter writer,
      StormDeliveryWriter stormWriter,
      InstantSource clock,
      AlertMetrics metrics) {
    this.database = database;
    this.distributed = database.isDistributed();
    this.offers = offers;
    this.merges = merges;
    this.bell = bell;
    this.writer = writer;
    this.storms = new StormDelivery(database, offers, merges, stormWriter, clock);
    this.clock = clock;
    this.metrics = metrics;
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
    Map<String, String> moved = deliver(candidates);
    if (!candidates.isEmpty()) {
      List<Alert> delivered = candidates.stream().map(CandidateAlert::alert).toList();
      withdrawBanned(delivered, find(delivered));
    }
    if (!moved.isEmpty() && mergesBefore < MAX_MERGES) {
      deliver(toLogins(candidates, moved.keySet()), mergesBefore + 1);
    }
  }

  /// Returns the recipients who were merged into a login. Alerts that a storm may have overtaken are
  /// retried with the positions read again.
  private Map<String, String> deliver(List<CandidateAlert> candidates) {
    Map<String, String> moved = new HashMap<>();
    List<CandidateAlert> remaining = candidates;
    for (int tries = 0; !remaining.isEmpty(); tries++) {
      if (tries == MAX_STORM_TRIES) {
        throw new IllegalStateException("storms keep overtaking " + remaining.size() + " alerts");
      }
      StormStore.NumberedOffers numbered = stormStore.numbered(database, sold(remaining));
      Set<Alert> unsure = new HashSet<>();
      for (List<CandidateAlert> group : groups(remaining)) {
        AlertDeliveryWriter.Unfinished unfinished =
            database.inTransaction(tx -> writer.deliver(tx, group, numbered));
        moved.putAll(unfinished.moved());
        unsure.addAll(unfinished.unsure());
      }
      remaining =
          remaining.stream().filter(candidate -> unsure.contains(candidate.alert())).toList();
    }
    return moved;
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
      Optional<String> problem = offer == null ? Optional.of("gone") : problem(alert, offer);
      problem.ifPresent(metrics::dropped);
      if (offer != null && problem.isEmpty()) {
        candidates.add(new CandidateAlert(alert, offer));
      }
    }
    return candidates;
  }

  /// The reason to drop the alert that follows from the offer alone.
  private Optional<String> problem(Alert alert, Offer offer) {
    if (offer.getStatus() != Status.ACTIVE) {
      return Optional.of("not-active");
    }
    if (AlertEligibility.isOwnOffer(offer.getSellerId(), alert.recipient())) {
      return Optional.of("own");
    }
    return alert.content().isNew() ? tooOld(offer) : otherPrice(alert.content(), offer);
  }

  private Optional<String> tooOld(Offer offer) {
    Instant activated = EpochMicros.instant(offer.getActivatedAt());
    return AlertEligibility.isTooOld(activated, clock.instant())
        ? Optional.of("old")
        : Optional.empty();
  }

  /// A price that has changed again will cause its own alert.
  private static Optional<String> otherPrice(AlertContent content, Offer offer) {
    long alerted = content.price().map(PriceHash::of).orElse(0L);
    return alerted == PriceHash.of(offer) ? Optional.empty() : Optional.of("other-price");
  }

  private Collection<List<CandidateAlert>> groups(List<CandidateAlert> candidates) {
    if (candidates.isEmpty()) {
      return List.of();
    }
    return distributed
        ? candidates.stream().collect(Collectors.groupingBy(c -> c.alert().home())).values()
        : List.of(candidates);
  }

  /// The merge is completed first, so that the login's deduplication rows are complete.
  private List<Alert> toLogins(List<CandidateAlert> candidates, Set<String> moved) {
    Map<String, Optional<String>> logins = new HashMap<>();
    List<Alert> again = new ArrayList<>();
    for (CandidateAlert candidate : candidates) {
      String recipient = candidate.alert().recipient();
      if (moved.contains(recipient)) {
        logins
            .computeIfAbsent(recipient, merges::loginOf)
            .ifPresent(login -> again.add(candidate.alert().to(login)));
      }
    }
    return merged(again);
  }

  private static List<Alert> merged(List<Alert> alerts) {
    Map<Subject, Alert> merged = new LinkedHashMap<>();
    alerts.forEach(alert -> merged.merge(Subject.of(alert), alert, Alert::with));
    return List.copyOf(merged.values());
  }

  private record Place(Home home, OfferId offer) {}

  private void withdrawBanned(Collection<Alert> alerts, Map<OfferId, Offer> offersById) {
    Set<Place> places = new LinkedHashSet<>();
    for (Alert alert : alerts) {
      Offer offer = offersById.get(alert.content().offer());
      if (offer != null && offer.getStatus() == Status.BANNED) {
        places.add(new Place(alert.home(), alert.content().offer()));
      }
    }
    for (Place place : places) {
      boolean more = true;
      while (more) {
        more =
            database
                .inTransaction(
                    tx -> bell.withdraw(tx, place.home(), place.offer(), WITHDRAWAL_PAGE_SIZE))
                .mayBeMore();
      }
    }
  }
}
