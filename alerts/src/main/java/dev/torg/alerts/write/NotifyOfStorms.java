package dev.torg.alerts.write;

import dev.torg.alerts.AlertSettings;
import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.News;
import dev.torg.alerts.alert.Reason;
import dev.torg.alerts.digest.DigestHour;
import dev.torg.alerts.digest.DigestStore;
import dev.torg.alerts.storm.StormStore.Numbered;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.FavoriteRules;
import dev.torg.favorites.HeldRules;
import dev.torg.favorites.RuleKey;
import dev.torg.notifications.Bell;
import dev.torg.notifications.Growth;
import dev.torg.notifications.ReaderSettings;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Notifies readers of storms, in their home and in the caller's transaction: which offers are news is
/// decided (`storm_notified` and `told`), noted and shown (one entry that grows, or an item of the
/// digest) together or not at all. Each offer counts once, for the reason that decides: INSTANT before
/// DAILY.
///
/// **Locks**, each in the order of its keys: favorite_owner FOR SHARE, alert_budget, storm_notified,
/// digest_due, favorite (matches of searches), bell, notification, unread. Under the lock of a reader's
/// budget nobody else notifies that reader of a new offer, so `told` is read here, not locked.
public final class NotifyOfStorms {
  private final FavoriteRules rules;
  private final ReaderSettings settings;
  private final Bell bell;
  private final AlertSettings limits;
  private final InstantSource clock;
  private final AlertMeters meters;
  private final ToldStore told = new ToldStore();
  private final StormNotifiedStore notified = new StormNotifiedStore();
  private final BudgetStore budgets = new BudgetStore();
  private final DigestStore digests = new DigestStore();

  public NotifyOfStorms(
      FavoriteRules rules,
      ReaderSettings settings,
      Bell bell,
      AlertSettings limits,
      InstantSource clock,
      AlertMeters meters) {
    this.rules = rules;
    this.settings = settings;
    this.bell = bell;
    this.limits = limits;
    this.clock = clock;
    this.meters = meters;
  }

  /// The readers who have moved to a login meanwhile, for whom nothing was done. Where tables are
  /// distributed, all readers are of one home. Each key comes once.
  Map<String, String> notify(
      Tx tx, List<StormShare> shares, Map<StormNotifiedStore.Key, StormOffers> offersOf)
      throws SQLException {
    HeldRules held = rules.hold(tx, keys(shares));
    List<StormShare> here =
        shares.stream().filter(share -> !held.moved().containsKey(share.reader())).toList();
    if (!here.isEmpty()) {
      Set<String> readers =
          here.stream()
              .map(StormShare::reader)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      Map<String, NotificationSettings> said = settings.of(tx, readers);
      Instant now = clock.instant();
      Writing writing = new Writing(now, said, budgets.lock(tx, readers, now));
      writing.read(tx, here, offersOf);
      for (StormShare share : here) {
        StormOffers offers = offersOf.get(share.key());
        if (offers != null) {
          writing.add(share, choose(share, held, said), offers);
        }
      }
      writing.write(tx);
    }
    return held.moved();
  }

  private static Set<RuleKey> keys(List<StormShare> shares) {
    Set<RuleKey> keys = new LinkedHashSet<>();
    for (StormShare share : shares) {
      share.matches().keySet().forEach(reason -> keys.add(reason.key(share.reader())));
      keys.add(new RuleKey(share.reader(), FavoriteKind.BLOCK, share.seller()));
    }
    return keys;
  }

  /// The reader's rules that hold, the deciding one first.
  private static List<Choice.Held> choose(
      StormShare share, HeldRules held, Map<String, NotificationSettings> said) {
    String reader = share.reader();
    NotificationSettings ofReader = said.getOrDefault(reader, ReaderSettings.DEFAULTS);
    List<Choice.Held> found = new ArrayList<>();
    if (!held.isBlocked(reader, share.seller()) && !reader.equals(share.seller())) {
      for (Reason reason : share.matches().keySet()) {
        held.rule(reason.key(reader))
            .filter(rule -> rule.delivery() != Delivery.OFF)
            .filter(_ -> !ReaderSettings.isMuted(ofReader, reason.kind().topic()))
            .ifPresent(rule -> found.add(new Choice.Held(reason, rule)));
      }
    }
    found.sort(ChooseAlerts.DECIDING);
    return found;
  }

  /// What a transaction writes.
  private final class Writing {
    private final Instant now;
    private final Map<String, NotificationSettings> said;
    private final Map<String, Budget> left;
    private final Map<StormNotifiedStore.Key, BitSet> before = new HashMap<>();
    private final Map<StormNotifiedStore.Key, BitSet> after = new LinkedHashMap<>();
    private final Map<StormNotifiedStore.Key, BitSet> single = new HashMap<>();
    private final List<Growth> growths = new ArrayList<>();
    private final List<DigestStore.Item> items = new ArrayList<>();
    private final Map<String, DigestStore.Due> dues = new HashMap<>();
    private final Map<RuleKey, Integer> matches = new HashMap<>();
    private final List<Runnable> counted = new ArrayList<>();

    Writing(Instant now, Map<String, NotificationSettings> said, Map<String, Budget> left) {
      this.now = now;
      this.said = said;
      this.left = left;
    }

    /// What the readers were notified of before, of either kind.
    void read(Tx tx, List<StormShare> shares, Map<StormNotifiedStore.Key, StormOffers> offersOf)
        throws SQLException {
      notified
          .find(tx, shares.stream().map(StormShare::key).toList())
          .forEach(block -> before.put(block.key(), block.bits()));
      Map<StormOffers, Map<String, StormShare>> blocks = new IdentityHashMap<>();
      for (StormShare share : shares) {
        StormOffers offers = offersOf.get(share.key());
        if (offers != null) {
          blocks.computeIfAbsent(offers, _ -> new HashMap<>()).put(share.reader(), share);
        }
      }
      for (Map.Entry<StormOffers, Map<String, StormShare>> block : blocks.entrySet()) {
        readSingle(tx, block.getKey(), block.getValue());
      }
    }

    private void readSingle(Tx tx, StormOffers offers, Map<String, StormShare> shares)
        throws SQLException {
      told.find(
          tx,
          List.copyOf(shares.keySet()),
          offers.ids(),
          key ->
              single
                  .computeIfAbsent(
                      Objects.requireNonNull(shares.get(key.owner())).key(), _ -> new BitSet())
                  .set(offers.position(key.offer())));
    }

    private BitSet known(StormShare share) {
      BitSet known = new BitSet();
      known.or(single.getOrDefault(share.key(), new BitSet()));
      known.or(before.getOrDefault(share.key(), new BitSet()));
      return known;
    }

    void add(StormShare share, List<Choice.Held> held, StormOffers offers) {
      BitSet known = known(share);
      BitSet fresh = new BitSet();
      BitSet again = new BitSet();
      Map<Choice.Held, BitSet> concerned = new LinkedHashMap<>();
      for (Choice.Held one : held) {
        BitSet matched = share.matches().getOrDefault(one.reason(), new BitSet());
        BitSet concerning = offers.concerning(matched, one.rule().createdAt());
        again.or(common(concerning, known));
        concerning.andNot(known);
        concerned.put(one, (BitSet) concerning.clone());
        concerning.andNot(fresh);
        if (!concerning.isEmpty()) {
          fresh.or(concerning);
          show(share, one, concerning, offers);
        }
      }
      countRest(held, again.cardinality());
      if (!fresh.isEmpty()) {
        concerned.forEach(this::count);
        fresh.or(before.getOrDefault(share.key(), new BitSet()));
        after.put(share.key(), fresh);
      }
    }

    private static BitSet common(BitSet one, BitSet other) {
      BitSet both = (BitSet) one.clone();
      both.and(other);
      return both;
    }

    /// What was no news.
    private void countRest(List<Choice.Held> held, int again) {
      if (held.isEmpty()) {
        counted.add(() -> meters.dropped("no-reason"));
      } else if (again > 0) {
        counted.add(() -> meters.deduplicated(held.getFirst().reason(), again));
      }
    }

    private void count(Choice.Held one, BitSet concerned) {
      if (one.reason().kind() == Reason.Kind.SEARCH && !concerned.isEmpty()) {
        matches.merge(one.rule().key(), concerned.cardinality(), Integer::sum);
      }
    }

    private void show(StormShare share, Choice.Held one, BitSet fresh, StormOffers offers) {
      String reader = share.reader();
      int count = fresh.cardinality();
      NotificationSettings ofReader = said.getOrDefault(reader, ReaderSettings.DEFAULTS);
      Optional<Budget> budget = Optional.ofNullable(left.get(reader));
      boolean instant =
          one.rule().delivery() == Delivery.INSTANT
              && budget.filter(b -> b.spendStorm(one.reason(), count, limits)).isPresent();
      if (instant) {
        growths.add(StormEntries.growth(reader, one, count, now, new Texts(ofReader)));
      } else {
        offers.sample(fresh).ifPresent(sample -> gather(share, one, sample, count, offers));
        dues.computeIfAbsent(
            reader, _ -> new DigestStore.Due(reader, now, DigestHour.next(now, ofReader)));
      }
      counted.add(() -> meters.storm(one.reason(), instant ? "collapsed" : "digest", count));
    }

    private void gather(
        StormShare share, Choice.Held one, Numbered sample, int count, StormOffers offers) {
      News news =
          News.ofStorm(
              sample.id(), share.seller(), sample.activatedAt(), now, offers.title(sample.id()));
      items.add(
          new DigestStore.Item(now, new Alert(share.reader(), news, Set.of(one.reason())), count));
    }

    void write(Tx tx) throws SQLException {
      budgets.write(tx, left.values());
      notified.put(tx, after, LocalDate.ofInstant(now, ZoneOffset.UTC));
      digests.add(tx, dues.values(), items);
      rules.countMatches(tx, matches, now);
      bell.grow(tx, growths);
      tx.afterCommit(() -> counted.forEach(Runnable::run));
    }
  }
}
