package dev.torg.alerts.delivery;

import dev.torg.alerts.event.StormAlert;
import dev.torg.alerts.match.OfferMatchingConsumer;
import dev.torg.alerts.storm.StormStore;
import dev.torg.alerts.storm.StormStore.Numbered;
import dev.torg.favorites.LoginMerges;
import dev.torg.offers.Offers;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Delivers collapsed storms, a block of positions at a time: reads the offers they are about, then
/// notifies many readers in one transaction, or home by home where tables are distributed. It may see a
/// storm twice, late, or from a zombie: the readers' own rows decide. Blocks.
///
/// **Memory.** A transaction has at most 1,000 shares of a kilobyte or two for each reason, and the offers
/// of the blocks they are about; what the records hold before is runs, not bits.
final class StormDelivery {
  private static final int MAX_SHARES_PER_TRANSACTION = 1_000;

  /// Offers whose status is read at once.
  private static final int PAGE_SIZE = 1_000;

  /// Titles that digests show.
  private static final int TITLES = 10;

  /// An anonymous reader moves to a login once, for good.
  private static final int MAX_MOVES = 2;

  private static final Comparator<StormNotifiedStore.Key> BY_BLOCK =
      Comparator.comparing(StormNotifiedStore.Key::seller)
          .thenComparingInt(StormNotifiedStore.Key::block)
          .thenComparing(StormNotifiedStore.Key::owner);

  private final Database database;
  private final Offers offers;
  private final LoginMerges moves;
  private final StormDeliveryWriter notifying;
  private final InstantSource clock;
  private final StormStore storms = new StormStore();

  StormDelivery(
      Database database,
      Offers offers,
      LoginMerges moves,
      StormDeliveryWriter notifying,
      InstantSource clock) {
    this.database = database;
    this.offers = offers;
    this.moves = moves;
    this.notifying = notifying;
    this.clock = clock;
  }

  void deliver(Collection<StormAlert> alerts) {
    for (List<StormAlert> ofHome : groups(alerts)) {
      Portions portions = new Portions();
      for (Target target : targets(ofHome)) {
        portions.add(target);
      }
      portions.deliver();
    }
  }

  private Collection<List<StormAlert>> groups(Collection<StormAlert> alerts) {
    if (alerts.isEmpty()) {
      return List.of();
    }
    return database.isDistributed()
        ? alerts.stream().collect(Collectors.groupingBy(StormAlert::home)).values()
        : List.of(List.copyOf(alerts));
  }

  /// A share that is made when it is its turn.
  private record Target(StormNotifiedStore.Key key, StormAlert alert) {}

  /// By seller and block, so that their offers are read once.
  private static List<Target> targets(List<StormAlert> alerts) {
    List<Target> targets = new ArrayList<>();
    for (StormAlert alert : alerts) {
      for (int block : alert.positions().blocks(StormNotifiedStore.BLOCK)) {
        targets.add(
            new Target(
                new StormNotifiedStore.Key(alert.recipient(), alert.seller(), block), alert));
      }
    }
    targets.sort(Comparator.comparing(Target::key, BY_BLOCK));
    return targets;
  }

  /// A seller and a block of positions.
  private record SellerBlock(String seller, int block) {
    static SellerBlock of(RecipientStorm share) {
      return new SellerBlock(share.key().seller(), share.key().block());
    }
  }

  private final class Portions {
    private final Map<StormNotifiedStore.Key, RecipientStorm> waiting = new LinkedHashMap<>();

    void add(Target target) {
      waiting.merge(
          target.key, RecipientStorm.of(target.alert, target.key.block()), RecipientStorm::with);
      if (waiting.size() == MAX_SHARES_PER_TRANSACTION) {
        deliver();
      }
    }

    void deliver() {
      StormDelivery.this.deliver(List.copyOf(waiting.values()), 0);
      waiting.clear();
    }
  }

  private void deliver(List<RecipientStorm> shares, int movesBefore) {
    if (shares.isEmpty()) {
      return;
    }
    Map<StormNotifiedStore.Key, StormOffers> offersOf = read(shares);
    Map<String, String> moved =
        database.inTransaction(tx -> notifying.notify(tx, shares, offersOf));
    if (!moved.isEmpty() && movesBefore < MAX_MOVES) {
      toLogins(shares, moved.keySet()).forEach(home -> deliver(home, movesBefore + 1));
    }
  }

  private Map<StormNotifiedStore.Key, StormOffers> read(List<RecipientStorm> shares) {
    Map<SellerBlock, BitSet> wanted = new LinkedHashMap<>();
    shares.forEach(
        share ->
            wanted.computeIfAbsent(SellerBlock.of(share), _ -> new BitSet()).or(share.offers()));
    Map<SellerBlock, StormOffers> found = new HashMap<>();
    wanted.forEach((place, positions) -> found.put(place, read(place, positions)));
    Map<StormNotifiedStore.Key, StormOffers> offersOf = new HashMap<>();
    shares.forEach(
        share ->
            offersOf.put(share.key(), Objects.requireNonNull(found.get(SellerBlock.of(share)))));
    return offersOf;
  }

  private StormOffers read(SellerBlock place, BitSet wanted) {
    int first = place.block * StormNotifiedStore.BLOCK;
    List<Numbered> numbered =
        database
            .read(
                tx ->
                    storms.offers(
                        tx, place.seller, first + wanted.nextSetBit(0), first + wanted.length()))
            .stream()
            .filter(offer -> wanted.get(offer.position() - first))
            .toList();
    Set<OfferId> active = active(numbered);
    Instant oldest = clock.instant().minus(OfferMatchingConsumer.MAX_OFFER_AGE);
    return new StormOffers(first, numbered, active, oldest, titles(numbered, active));
  }

  private Set<OfferId> active(List<Numbered> numbered) {
    Set<OfferId> active = new HashSet<>();
    for (int from = 0; from < numbered.size(); from += PAGE_SIZE) {
      List<Numbered> page = numbered.subList(from, Math.min(numbered.size(), from + PAGE_SIZE));
      active.addAll(offers.active(page.stream().map(Numbered::id).toList()));
    }
    return active;
  }

  private Map<OfferId, String> titles(List<Numbered> numbered, Set<OfferId> active) {
    List<OfferId> some =
        numbered.stream().map(Numbered::id).filter(active::contains).limit(TITLES).toList();
    Map<OfferId, String> titles = new HashMap<>();
    offers.find(some).join().forEach((id, offer) -> titles.put(id, offer.getTitle()));
    return titles;
  }

  /// The move is finished first: then what the reader was notified of before is there too. By home where
  /// tables are distributed.
  private Collection<List<RecipientStorm>> toLogins(
      List<RecipientStorm> shares, Set<String> moved) {
    Map<String, Optional<String>> logins = new HashMap<>();
    Map<StormNotifiedStore.Key, RecipientStorm> again = new LinkedHashMap<>();
    for (RecipientStorm share : shares) {
      if (moved.contains(share.recipient())) {
        logins
            .computeIfAbsent(share.recipient(), moves::loginOf)
            .map(share::to)
            .ifPresent(to -> again.merge(to.key(), to, RecipientStorm::with));
      }
    }
    return database.isDistributed()
        ? again.values().stream()
            .collect(Collectors.groupingBy(share -> Home.of(share.recipient())))
            .values()
        : List.of(List.copyOf(again.values()));
  }
}
