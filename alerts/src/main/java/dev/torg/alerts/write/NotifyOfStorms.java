package dev.torg.alerts.write;

import dev.torg.alerts.AlertSettings;
import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.News;
import dev.torg.alerts.alert.Positions;
import dev.torg.alerts.alert.Reason;
import dev.torg.alerts.alert.StormAlert;
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
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
  /// distributed, all readers are of one home. A reader and seller come once.
  Map<String, String> notify(Tx tx, List<StormAlert> alerts, Map<String, StormOffers> offersOf)
      throws SQLException {
    HeldRules held = rules.hold(tx, keys(alerts));
    List<StormAlert> here =
        alerts.stream().filter(alert -> !held.moved().containsKey(alert.reader())).toList();
    if (!here.isEmpty()) {
      Set<String> readers =
          here.stream()
              .map(StormAlert::reader)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      Map<String, NotificationSettings> said = settings.of(tx, readers);
      Writing writing =
          new Writing(clock.instant(), said, budgets.lock(tx, readers, clock.instant()));
      writing.all.putAll(notified.find(tx, here.stream().map(NotifyOfStorms::key).toList()));
      Map<StormNotifiedStore.Key, BitSet> known = known(tx, here, offersOf, writing.all);
      for (StormAlert alert : here) {
        StormOffers offers = offersOf.get(alert.seller());
        if (offers != null) {
          writing.add(
              alert,
              choose(alert, held, said),
              offers,
              known.getOrDefault(key(alert), new BitSet()));
        }
      }
      writing.write(tx);
    }
    return held.moved();
  }

  private static StormNotifiedStore.Key key(StormAlert alert) {
    return new StormNotifiedStore.Key(alert.reader(), alert.seller());
  }

  private static Set<RuleKey> keys(List<StormAlert> alerts) {
    Set<RuleKey> keys = new LinkedHashSet<>();
    for (StormAlert alert : alerts) {
      reasons(alert).keySet().forEach(reason -> keys.add(reason.key(alert.reader())));
      keys.add(new RuleKey(alert.reader(), FavoriteKind.BLOCK, alert.seller()));
    }
    return keys;
  }

  /// With the seller, whom the reader may follow: it costs nothing to ask.
  private static Map<Reason, Positions> reasons(StormAlert alert) {
    Map<Reason, Positions> all = new LinkedHashMap<>(alert.matches());
    all.putIfAbsent(Reason.seller(alert.seller()), alert.positions());
    return all;
  }

  /// What the readers were notified of before, of either kind.
  private Map<StormNotifiedStore.Key, BitSet> known(
      Tx tx,
      List<StormAlert> alerts,
      Map<String, StormOffers> offersOf,
      Map<StormNotifiedStore.Key, BitSet> before)
      throws SQLException {
    Map<StormNotifiedStore.Key, Set<OfferId>> single =
        told.ofSellersHome(tx, alerts.stream().map(NotifyOfStorms::key).toList());
    Map<StormNotifiedStore.Key, BitSet> known = new HashMap<>();
    for (StormAlert alert : alerts) {
      StormOffers offers = offersOf.get(alert.seller());
      BitSet all = (BitSet) before.getOrDefault(key(alert), new BitSet()).clone();
      if (offers != null) {
        all.or(offers.positions(single.getOrDefault(key(alert), Set.of())));
      }
      known.put(key(alert), all);
    }
    return known;
  }

  /// The reader's rules that hold, the deciding one first.
  private static List<Choice.Held> choose(
      StormAlert alert, HeldRules held, Map<String, NotificationSettings> said) {
    String reader = alert.reader();
    NotificationSettings ofReader = said.getOrDefault(reader, ReaderSettings.DEFAULTS);
    List<Choice.Held> found = new ArrayList<>();
    if (!held.isBlocked(reader, alert.seller()) && !reader.equals(alert.seller())) {
      for (Reason reason : reasons(alert).keySet()) {
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
    private final Map<StormNotifiedStore.Key, BitSet> all = new HashMap<>();
    private final Map<StormNotifiedStore.Key, BitSet> added = new LinkedHashMap<>();
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

    void add(StormAlert alert, List<Choice.Held> held, StormOffers offers, BitSet known) {
      Map<Reason, Positions> matched = reasons(alert);
      BitSet fresh = new BitSet();
      BitSet again = new BitSet();
      Map<Choice.Held, BitSet> concerned = new LinkedHashMap<>();
      for (Choice.Held one : held) {
        BitSet positions = matched.getOrDefault(one.reason(), Positions.of()).toBitSet();
        BitSet concerning = offers.concerning(positions, one.rule().createdAt());
        BitSet repeated = (BitSet) concerning.clone();
        repeated.and(known);
        again.or(repeated);
        concerning.andNot(known);
        concerned.put(one, (BitSet) concerning.clone());
        concerning.andNot(fresh);
        if (!concerning.isEmpty()) {
          fresh.or(concerning);
          show(alert, one, concerning, offers);
        }
      }
      if (held.isEmpty()) {
        counted.add(() -> meters.dropped("no-reason"));
      } else if (!again.isEmpty()) {
        counted.add(() -> meters.deduplicated(held.getFirst().reason(), again.cardinality()));
      }
      if (!fresh.isEmpty()) {
        concerned.forEach(this::count);
        StormNotifiedStore.Key key = key(alert);
        added.put(key, fresh);
        all.computeIfAbsent(key, _ -> new BitSet()).or(fresh);
      }
    }

    private void count(Choice.Held one, BitSet concerned) {
      if (one.reason().kind() == Reason.Kind.SEARCH && !concerned.isEmpty()) {
        matches.merge(one.rule().key(), concerned.cardinality(), Integer::sum);
      }
    }

    private void show(StormAlert alert, Choice.Held one, BitSet fresh, StormOffers offers) {
      String reader = alert.reader();
      int count = fresh.cardinality();
      NotificationSettings ofReader = said.getOrDefault(reader, ReaderSettings.DEFAULTS);
      Optional<Budget> budget = Optional.ofNullable(left.get(reader));
      boolean instant =
          one.rule().delivery() == Delivery.INSTANT
              && budget.filter(b -> b.spendStorm(one.reason(), count, limits)).isPresent();
      if (instant) {
        growths.add(StormEntries.growth(reader, one, count, now, new Texts(ofReader)));
      } else {
        offers.sample(fresh).ifPresent(sample -> gather(alert, one, sample, count, offers));
        dues.computeIfAbsent(
            reader, _ -> new DigestStore.Due(reader, now, DigestHour.next(now, ofReader)));
      }
      counted.add(() -> meters.storm(one.reason(), instant ? "collapsed" : "digest", count));
    }

    private void gather(
        StormAlert alert, Choice.Held one, Numbered sample, int count, StormOffers offers) {
      News news =
          News.ofStorm(
              sample.id(), alert.seller(), sample.activatedAt(), now, offers.title(sample.id()));
      items.add(
          new DigestStore.Item(now, new Alert(alert.reader(), news, Set.of(one.reason())), count));
    }

    void write(Tx tx) throws SQLException {
      budgets.write(tx, left.values());
      notified.put(tx, all, added, LocalDate.ofInstant(now, ZoneOffset.UTC));
      digests.add(tx, dues.values(), items);
      rules.countMatches(tx, matches, now);
      bell.grow(tx, growths);
      tx.afterCommit(() -> counted.forEach(Runnable::run));
    }
  }
}
