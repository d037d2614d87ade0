package dev.torg.alerts.delivery;

import dev.torg.alerts.event.StormAlert;
import dev.torg.alerts.storm.StormStore;
import dev.torg.alerts.storm.StormStore.Numbered;
import dev.torg.favorites.LoginMerges;
import dev.torg.offers.Offers;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
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

/// Delivers collapsed storms, a block of positions at a time: reads the offers, then notifies many
/// recipients in one transaction, or shard by shard where tables are distributed. Storms may be duplicated,
/// late, or sent by a fenced-off process: the recipients' own rows decide. Blocks.
///
/// **Memory.** A transaction, of which a few run concurrently, has at most 1,000 blocks of a kilobyte or two for each reason, and their
/// offers; the records themselves hold runs, not bits.
final class StormDelivery {
  private static final int MAX_BLOCKS_PER_TRANSACTION = 1_000;

  /// Offers whose status is read by one statement.
  private static final int PAGE_SIZE = 1_000;

  /// Titles displayed in digests.
  private static final int MAX_TITLES = 10;

  /// An anonymous identity is merged into a login once.
  private static final int MAX_MERGES = 2;

  private static final Comparator<StormNotifiedStore.Key> BY_BLOCK =
      Comparator.comparing(StormNotifiedStore.Key::seller)
          .thenComparingInt(StormNotifiedStore.Key::block)
          .thenComparing(StormNotifiedStore.Key::owner);

  private final Database database;
  private final Offers offers;
  private final LoginMerges merges;
  private final StormDeliveryWriter writer;
  private final InstantSource clock;
  private final StormStore storms = new StormStore();

  StormDelivery(
      Database database,
      Offers offers,
      LoginMerges merges,
      StormDeliveryWriter writer,
      InstantSource clock) {
    this.database = database;
    this.offers = offers;
    this.merges = merges;
    this.writer = writer;
    this.clock = clock;
  }

  void deliver(Collection<StormAlert> alerts) {
    EachShard.run(database.shards().split(alerts, StormAlert::home), this::deliverPortions);
  }

  private void deliverPortions(List<StormAlert> alerts) {
    Portions portions = new Portions();
    for (Target target : targets(alerts)) {
      portions.add(target);
    }
    portions.deliver();
  }

  /// A block of a storm, expanded when it is delivered.
  private record Target(StormNotifiedStore.Key key, StormAlert alert) {}

  /// Sorted by seller and block, so that their offers are read once.
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
      if (waiting.size() == MAX_BLOCKS_PER_TRANSACTION) {
        deliver();
      }
    }

    void deliver() {
      StormDelivery.this.deliver(List.copyOf(waiting.values()), 0);
      waiting.clear();
    }
  }

  private void deliver(List<RecipientStorm> shares, int mergesBefore) {
    if (shares.isEmpty()) {
      return;
    }
    Map<StormNotifiedStore.Key, StormOffers> offersOf = read(shares);
    Map<String, String> mergedInto =
        database.inTransaction(tx -> writer.notify(tx, shares, offersOf));
    if (!mergedInto.isEmpty() && mergesBefore < MAX_MERGES) {
      toLogins(shares, mergedInto.keySet()).forEach(shard -> deliver(shard, mergesBefore + 1));
    }
  }

  private Map<StormNotifiedStore.Key, StormOffers> read(List<RecipientStorm> shares) {
    Map<SellerBlock, BitSet> requested = new LinkedHashMap<>();
    shares.forEach(
        share ->
            requested.computeIfAbsent(SellerBlock.of(share), _ -> new BitSet()).or(share.offers()));
    Map<SellerBlock, StormOffers> byBlock = new HashMap<>();
    requested.forEach(
        (sellerBlock, positions) -> byBlock.put(sellerBlock, read(sellerBlock, positions)));
    Map<StormNotifiedStore.Key, StormOffers> offersOf = new HashMap<>();
    shares.forEach(
        share ->
            offersOf.put(share.key(), Objects.requireNonNull(byBlock.get(SellerBlock.of(share)))));
    return offersOf;
  }

  private StormOffers read(SellerBlock sellerBlock, BitSet requested) {
    int first = sellerBlock.block * StormNotifiedStore.BLOCK;
    List<Numbered> numbered =
        database
            .read(
                tx ->
                    storms.offers(
                        tx,
                        sellerBlock.seller,
                        first + requested.nextSetBit(0),
                        first + requested.length()))
            .stream()
            .filter(offer -> requested.get(offer.position() - first))
            .toList();
    Set<OfferId> active = active(numbered);
    return new StormOffers(first, numbered, active, clock.instant(), titles(numbered, active));
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
    List<OfferId> titled =
        numbered.stream().map(Numbered::id).filter(active::contains).limit(MAX_TITLES).toList();
    Map<OfferId, String> titles = new HashMap<>();
    offers.find(titled).join().forEach((id, offer) -> titles.put(id, offer.getTitle()));
    return titles;
  }

  /// The merge is completed first, so that the login's rows are complete. The storms of each shard.
  private List<List<RecipientStorm>> toLogins(List<RecipientStorm> shares, Set<String> merged) {
    Map<String, Optional<String>> logins = new HashMap<>();
    Map<StormNotifiedStore.Key, RecipientStorm> redirected = new LinkedHashMap<>();
    for (RecipientStorm share : shares) {
      if (merged.contains(share.recipient())) {
        logins
            .computeIfAbsent(share.recipient(), merges::loginOf)
            .map(share::to)
            .ifPresent(to -> redirected.merge(to.key(), to, RecipientStorm::with));
      }
    }
    return database.shards().split(redirected.values(), share -> Home.of(share.recipient()));
  }
}
