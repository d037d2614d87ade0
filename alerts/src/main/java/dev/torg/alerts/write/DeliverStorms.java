package dev.torg.alerts.write;

import dev.torg.alerts.alert.StormAlert;
import dev.torg.alerts.match.MatchOffers;
import dev.torg.alerts.storm.StormStore;
import dev.torg.alerts.storm.StormStore.Numbered;
import dev.torg.favorites.Moves;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Delivers collapsed storms: reads the offers they are about, then notifies many readers in one
/// transaction, or home by home where tables are distributed. It may see a storm twice, late, or from a
/// zombie: the readers' own rows decide. Blocks.
final class DeliverStorms {
  /// Offers whose status is read at once.
  private static final int PAGE_SIZE = 1_000;

  /// Titles that digests show.
  private static final int TITLES = 10;

  /// An anonymous reader moves to a login once, for good.
  private static final int MAX_MOVES = 2;

  private final Database database;
  private final Offers offers;
  private final Moves moves;
  private final NotifyOfStorms notifying;
  private final InstantSource clock;
  private final StormStore storms = new StormStore();

  DeliverStorms(
      Database database,
      Offers offers,
      Moves moves,
      NotifyOfStorms notifying,
      InstantSource clock) {
    this.database = database;
    this.offers = offers;
    this.moves = moves;
    this.notifying = notifying;
    this.clock = clock;
  }

  void deliver(Collection<StormAlert> alerts) {
    deliver(alerts, 0);
  }

  private void deliver(Collection<StormAlert> alerts, int movesBefore) {
    List<StormAlert> merged = merged(alerts);
    Map<String, StormOffers> offersOf = read(merged);
    Map<String, String> moved = new HashMap<>();
    for (List<StormAlert> group : groups(merged)) {
      moved.putAll(database.inTransaction(tx -> notifying.notify(tx, group, offersOf)));
    }
    if (!moved.isEmpty() && movesBefore < MAX_MOVES) {
      deliver(toLogins(merged, moved.keySet()), movesBefore + 1);
    }
  }

  private record Subject(String reader, String seller) {}

  private static List<StormAlert> merged(Collection<StormAlert> alerts) {
    Map<Subject, StormAlert> merged = new LinkedHashMap<>();
    for (StormAlert alert : alerts) {
      merged.merge(new Subject(alert.reader(), alert.seller()), alert, StormAlert::with);
    }
    return List.copyOf(merged.values());
  }

  private Map<String, StormOffers> read(List<StormAlert> alerts) {
    Map<String, BitSet> wanted = new LinkedHashMap<>();
    for (StormAlert alert : alerts) {
      BitSet positions = wanted.computeIfAbsent(alert.seller(), _ -> new BitSet());
      alert.matches().values().forEach(matched -> positions.or(matched.toBitSet()));
    }
    Map<String, StormOffers> offersOf = new HashMap<>();
    wanted.forEach((seller, positions) -> offersOf.put(seller, read(seller, positions)));
    return offersOf;
  }

  private StormOffers read(String seller, BitSet wanted) {
    List<Numbered> numbered =
        database
            .read(tx -> storms.offers(tx, seller, wanted.nextSetBit(0), wanted.length()))
            .stream()
            .filter(offer -> wanted.get(offer.position()))
            .toList();
    Set<OfferId> active = new HashSet<>();
    for (int from = 0; from < numbered.size(); from += PAGE_SIZE) {
      List<Numbered> page = numbered.subList(from, Math.min(numbered.size(), from + PAGE_SIZE));
      active.addAll(offers.active(page.stream().map(Numbered::id).toList()));
    }
    Instant oldest = clock.instant().minus(MatchOffers.NEW_FOR);
    return new StormOffers(numbered, active, oldest, titles(numbered, active));
  }

  private Map<OfferId, String> titles(List<Numbered> numbered, Set<OfferId> active) {
    List<OfferId> some =
        numbered.stream().map(Numbered::id).filter(active::contains).limit(TITLES).toList();
    Map<OfferId, String> titles = new HashMap<>();
    offers.find(some).join().forEach((id, offer) -> titles.put(id, offer.getTitle()));
    return titles;
  }

  private Collection<List<StormAlert>> groups(List<StormAlert> alerts) {
    if (alerts.isEmpty()) {
      return List.of();
    }
    return database.isDistributed()
        ? alerts.stream().collect(Collectors.groupingBy(StormAlert::home)).values()
        : List.of(alerts);
  }

  /// The move is finished first: then what the reader was notified of before is there too.
  private List<StormAlert> toLogins(List<StormAlert> alerts, Set<String> moved) {
    Map<String, Optional<String>> logins = new HashMap<>();
    List<StormAlert> again = new ArrayList<>();
    for (StormAlert alert : alerts) {
      if (moved.contains(alert.reader())) {
        logins
            .computeIfAbsent(alert.reader(), moves::loginOf)
            .ifPresent(login -> again.add(alert.to(login)));
      }
    }
    return again;
  }
}
