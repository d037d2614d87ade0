package dev.torg.alerts.delivery;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.StormAlert;
import dev.torg.alerts.match.OfferMatchingConsumer;
import dev.torg.alerts.storm.StormStore;
import dev.torg.api.v1.AlertEvent;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.favorites.LoginMerges;
import dev.torg.favorites.PriceHash;
import dev.torg.notifications.Bell;
import dev.torg.offers.Offers;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
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

/// Writes alerts, many readers in one transaction, or home by home where tables are distributed. It
/// may see an alert twice, late, or from a zombie: the reader's own rows decide.
///
/// **Bans.** Offers are read just before the transaction and once more after it. A ban that commits
/// before the second reading is seen by it, and the notification is taken back here; one that commits
/// later is told by its own event, which finds the notification. An alert about a banned offer takes
/// back what an earlier attempt, cut off between the two, may have left.
public final class AlertDeliveryConsumer implements EventHandler {
  private static final int WITHDRAWAL_PAGE_SIZE = 500;

  /// An anonymous reader moves to a login once, for good.
  private static final int MAX_MERGES = 2;

  /// A storm's positions are read again when it has just given more.
  private static final int MAX_STORM_TRIES = 10;

  private final Database database;
  private final boolean distributed;
  private final Offers offers;
  private final LoginMerges moves;
  private final Bell bell;
  private final AlertDeliveryWriter writer;
  private final StormDelivery storms;
  private final InstantSource clock;
  private final AlertMetrics metrics;
  private final StormStore stormStore = new StormStore();

  public AlertDeliveryConsumer(
      Database database,
      Offers offers,
      LoginMerges moves,
      Bell bell,
      AlertDeliveryWriter telling,
      StormDeliveryWriter notifying,
      InstantSource clock,
      AlertMetrics meters) {
    this.database = database;
    this.distributed = database.isDistributed();
    this.offers = offers;
    this.moves = moves;
    this.bell = bell;
    this.writer = telling;
    this.storms = new StormDelivery(database, offers, moves, notifying, clock);
    this.clock = clock;
    this.metrics = meters;
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    Map<Subject, Alert> alerts = new LinkedHashMap<>();
    List<StormAlert> collapsed = new ArrayList<>();
    for (Event event : events) {
      AlertEvent said = AlertEvent.parseFrom(event.payload());
      if (said.getType() == AlertEvent.Type.STORM) {
        collapsed.add(StormAlert.of(said));
      } else {
        Alert alert = Alert.of(said);
        alerts.merge(Subject.of(alert), alert, Alert::with);
      }
    }
    deliver(alerts.values(), 0);
    storms.deliver(collapsed);
  }

  /// What an alert is about, and to whom.
  private record Subject(String recipient, OfferId offer, AlertEvent.Type type) {
    static Subject of(Alert alert) {
      return new Subject(alert.recipient(), alert.news().offer(), alert.news().type());
    }
  }

  private void deliver(Collection<Alert> alerts, int movesBefore) {
    Map<OfferId, Offer> found = find(alerts);
    withdrawBanned(alerts, found);
    List<CandidateAlert> candidates = candidates(alerts, found);
    Map<String, String> moved = tell(candidates);
    if (!candidates.isEmpty()) {
      List<Alert> told = candidates.stream().map(CandidateAlert::alert).toList();
      withdrawBanned(told, find(told));
    }
    if (!moved.isEmpty() && movesBefore < MAX_MERGES) {
      deliver(toLogins(candidates, moved.keySet()), movesBefore + 1);
    }
  }

  /// The readers who have moved. Alerts that a storm may have overtaken are tried again with the
  /// positions as they are then.
  private Map<String, String> tell(List<CandidateAlert> candidates) {
    Map<String, String> moved = new HashMap<>();
    List<CandidateAlert> left = candidates;
    for (int tries = 0; !left.isEmpty(); tries++) {
      if (tries == MAX_STORM_TRIES) {
        throw new IllegalStateException("storms keep overtaking " + left.size() + " alerts");
      }
      StormStore.NumberedOffers known = stormStore.numbered(database, sold(left));
      Set<Alert> unsure = new HashSet<>();
      for (List<CandidateAlert> group : groups(left)) {
        AlertDeliveryWriter.Unfinished rest =
            database.inTransaction(tx -> writer.deliver(tx, group, known));
        moved.putAll(rest.moved());
        unsure.addAll(rest.unsure());
      }
      left = left.stream().filter(candidate -> unsure.contains(candidate.alert())).toList();
    }
    return moved;
  }

  private static List<StormStore.Sold> sold(List<CandidateAlert> candidates) {
    return candidates.stream()
        .map(candidate -> candidate.alert().news())
        .filter(AlertContent::isNew)
        .map(news -> new StormStore.Sold(news.offer(), news.seller()))
        .toList();
  }

  private Map<OfferId, Offer> find(Collection<Alert> alerts) {
    Set<OfferId> ids =
        alerts.stream()
            .map(a -> a.news().offer())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return offers.find(ids).join();
  }

  private List<CandidateAlert> candidates(Collection<Alert> alerts, Map<OfferId, Offer> found) {
    List<CandidateAlert> candidates = new ArrayList<>();
    for (Alert alert : alerts) {
      Offer offer = found.get(alert.news().offer());
      Optional<String> problem = offer == null ? Optional.of("gone") : problem(alert, offer);
      problem.ifPresent(metrics::dropped);
      if (offer != null && problem.isEmpty()) {
        candidates.add(new CandidateAlert(alert, offer));
      }
    }
    return candidates;
  }

  /// Why nobody is to be told, by the offer alone.
  private Optional<String> problem(Alert alert, Offer offer) {
    if (offer.getStatus() != Status.ACTIVE) {
      return Optional.of("not-active");
    }
    if (offer.getSellerId().equals(alert.recipient())) {
      return Optional.of("own");
    }
    return alert.news().isNew() ? tooOld(offer) : otherPrice(alert.news(), offer);
  }

  private Optional<String> tooOld(Offer offer) {
    boolean old =
        AlertContent.instant(offer.getActivatedAt())
            .isBefore(clock.instant().minus(OfferMatchingConsumer.MAX_OFFER_AGE));
    return old ? Optional.of("old") : Optional.empty();
  }

  /// A price that has changed again has a run of its own to come.
  private static Optional<String> otherPrice(AlertContent news, Offer offer) {
    long said = news.price().map(PriceHash::of).orElse(0L);
    return said == PriceHash.of(offer) ? Optional.empty() : Optional.of("other-price");
  }

  private Collection<List<CandidateAlert>> groups(List<CandidateAlert> candidates) {
    if (candidates.isEmpty()) {
      return List.of();
    }
    return distributed
        ? candidates.stream().collect(Collectors.groupingBy(c -> c.alert().home())).values()
        : List.of(candidates);
  }

  /// The move is finished first: then what the reader was told before is there too.
  private List<Alert> toLogins(List<CandidateAlert> candidates, Set<String> moved) {
    Map<String, Optional<String>> logins = new HashMap<>();
    List<Alert> again = new ArrayList<>();
    for (CandidateAlert candidate : candidates) {
      String reader = candidate.alert().recipient();
      if (moved.contains(reader)) {
        logins
            .computeIfAbsent(reader, moves::loginOf)
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

  private void withdrawBanned(Collection<Alert> alerts, Map<OfferId, Offer> found) {
    Set<Place> places = new LinkedHashSet<>();
    for (Alert alert : alerts) {
      Offer offer = found.get(alert.news().offer());
      if (offer != null && offer.getStatus() == Status.BANNED) {
        places.add(new Place(alert.home(), alert.news().offer()));
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
