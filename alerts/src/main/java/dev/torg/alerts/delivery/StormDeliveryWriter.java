package dev.torg.alerts.delivery;

import dev.torg.alerts.digest.DigestHour;
import dev.torg.alerts.digest.DigestStore;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.storm.StormStore.Numbered;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.AlertRules;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.Bell;
import dev.torg.notifications.RecipientSettings;
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
public final class StormDeliveryWriter {
  private final AlertRules rules;
  private final RecipientSettings settings;
  private final Bell bell;
  private final AlertSettings limits;
  private final InstantSource clock;
  private final AlertMetrics metrics;
  private final AlertDedupStore dedupStore = new AlertDedupStore();
  private final StormNotifiedStore notified = new StormNotifiedStore();
  private final AlertBudgetStore budgets = new AlertBudgetStore();
  private final DigestStore digests = new DigestStore();

  public StormDeliveryWriter(
      AlertRules rules,
      RecipientSettings settings,
      Bell bell,
      AlertSettings limits,
      InstantSource clock,
      AlertMetrics meters) {
    this.rules = rules;
    this.settings = settings;
    this.bell = bell;
    this.limits = limits;
    this.clock = clock;
    this.metrics = meters;
  }

  /// The readers who have moved to a login meanwhile, for whom nothing was done. Where tables are
  /// distributed, all readers are of one home. Each key comes once.
  Map<String, String> notify(
      Tx tx, List<RecipientStorm> shares, Map<StormNotifiedStore.Key, StormOffers> offersOf)
      throws SQLException {
    LockedAlertRules held = rules.lockForShare(tx, keys(shares));
    List<RecipientStorm> here =
        shares.stream().filter(share -> !held.moved().containsKey(share.recipient())).toList();
    if (!here.isEmpty()) {
      Set<String> readers =
          here.stream()
              .map(RecipientStorm::recipient)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      Map<String, NotificationSettings> said = settings.of(tx, readers);
      Instant now = clock.instant();
      Writing writing = new Writing(now, said, budgets.lock(tx, readers, now));
      writing.read(tx, here, offersOf);
      for (RecipientStorm share : here) {
        StormOffers offers = offersOf.get(share.key());
        if (offers != null) {
          writing.add(share, choose(share, held, said), offers);
        }
      }
      writing.write(tx);
    }
    return held.moved();
  }

  private static Set<AlertRuleKey> keys(List<RecipientStorm> shares) {
    Set<AlertRuleKey> keys = new LinkedHashSet<>();
    for (RecipientStorm share : shares) {
      share.matches().keySet().forEach(reason -> keys.add(reason.key(share.recipient())));
      keys.add(new AlertRuleKey(share.recipient(), FavoriteKind.BLOCK, share.seller()));
    }
    return keys;
  }

  /// The reader's rules that hold, the deciding one first.
  private static List<EligibleAlert.MatchedRule> choose(
      RecipientStorm share, LockedAlertRules held, Map<String, NotificationSettings> said) {
    String reader = share.recipient();
    NotificationSettings ofReader = said.getOrDefault(reader, RecipientSettings.DEFAULTS);
    List<EligibleAlert.MatchedRule> found = new ArrayList<>();
    if (!held.isBlocked(reader, share.seller()) && !reader.equals(share.seller())) {
      for (AlertReason reason : share.matches().keySet()) {
        held.rule(reason.key(reader))
            .filter(rule -> rule.delivery() != Delivery.OFF)
            .filter(_ -> !RecipientSettings.isMuted(ofReader, reason.kind().topic()))
            .ifPresent(rule -> found.add(new EligibleAlert.MatchedRule(reason, rule)));
      }
    }
    found.sort(AlertEligibility.DECIDING);
    return found;
  }

  /// What a transaction writes.
  private final class Writing {
    private final Instant now;
    private final Map<String, NotificationSettings> recipientSettings;
    private final Map<String, AlertBudget> remainingBudgets;
    private final Map<StormNotifiedStore.Key, BitSet> before = new HashMap<>();
    private final Map<StormNotifiedStore.Key, BitSet> after = new LinkedHashMap<>();
    private final Map<StormNotifiedStore.Key, BitSet> single = new HashMap<>();
    private final List<AggregatedNotification> growths = new ArrayList<>();
    private final List<DigestStore.Item> items = new ArrayList<>();
    private final Map<String, DigestStore.Due> dues = new HashMap<>();
    private final Map<AlertRuleKey, Integer> matches = new HashMap<>();
    private final List<Runnable> counted = new ArrayList<>();

    Writing(Instant now, Map<String, NotificationSettings> said, Map<String, AlertBudget> left) {
      this.now = now;
      this.recipientSettings = said;
      this.remainingBudgets = left;
    }

    /// What the readers were notified of before, of either kind.
    void read(Tx tx, List<RecipientStorm> shares, Map<StormNotifiedStore.Key, StormOffers> offersOf)
        throws SQLException {
      notified
          .find(tx, shares.stream().map(RecipientStorm::key).toList())
          .forEach(block -> before.put(block.key(), block.bits()));
      Map<StormOffers, Map<String, RecipientStorm>> blocks = new IdentityHashMap<>();
      for (RecipientStorm share : shares) {
        StormOffers offers = offersOf.get(share.key());
        if (offers != null) {
          blocks.computeIfAbsent(offers, _ -> new HashMap<>()).put(share.recipient(), share);
        }
      }
      for (Map.Entry<StormOffers, Map<String, RecipientStorm>> block : blocks.entrySet()) {
        readSingle(tx, block.getKey(), block.getValue());
      }
    }

    private void readSingle(Tx tx, StormOffers offers, Map<String, RecipientStorm> shares)
        throws SQLException {
      dedupStore.find(
          tx,
          List.copyOf(shares.keySet()),
          offers.ids(),
          key ->
              single
                  .computeIfAbsent(
                      Objects.requireNonNull(shares.get(key.owner())).key(), _ -> new BitSet())
                  .set(offers.position(key.offer())));
    }

    private BitSet alreadyNotified(RecipientStorm share) {
      BitSet known = new BitSet();
      known.or(single.getOrDefault(share.key(), new BitSet()));
      known.or(before.getOrDefault(share.key(), new BitSet()));
      return known;
    }

    void add(RecipientStorm share, List<EligibleAlert.MatchedRule> held, StormOffers offers) {
      BitSet known = alreadyNotified(share);
      BitSet fresh = new BitSet();
      BitSet again = new BitSet();
      Map<EligibleAlert.MatchedRule, BitSet> concerned = new LinkedHashMap<>();
      for (EligibleAlert.MatchedRule one : held) {
        BitSet matched = share.matches().getOrDefault(one.reason(), new BitSet());
        BitSet concerning = offers.activatedAfter(matched, one.rule().createdAt());
        again.or(common(concerning, known));
        concerning.andNot(known);
        concerned.put(one, (BitSet) concerning.clone());
        concerning.andNot(fresh);
        if (!concerning.isEmpty()) {
          fresh.or(concerning);
          show(share, one, concerning, offers);
        }
      }
      countRemaining(held, again.cardinality());
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
    private void countRemaining(List<EligibleAlert.MatchedRule> held, int again) {
      if (held.isEmpty()) {
        counted.add(() -> metrics.dropped("no-reason"));
      } else if (again > 0) {
        counted.add(() -> metrics.deduplicated(held.getFirst().reason(), again));
      }
    }

    private void count(EligibleAlert.MatchedRule one, BitSet concerned) {
      if (one.reason().kind() == AlertReason.Kind.SEARCH && !concerned.isEmpty()) {
        matches.merge(one.rule().key(), concerned.cardinality(), Integer::sum);
      }
    }

    private void show(
        RecipientStorm share, EligibleAlert.MatchedRule one, BitSet fresh, StormOffers offers) {
      String reader = share.recipient();
      int count = fresh.cardinality();
      NotificationSettings ofReader =
          recipientSettings.getOrDefault(reader, RecipientSettings.DEFAULTS);
      Optional<AlertBudget> budget = Optional.ofNullable(remainingBudgets.get(reader));
      boolean instant =
          one.rule().delivery() == Delivery.INSTANT
              && budget.filter(b -> b.spendStorm(one.reason(), count, limits)).isPresent();
      if (instant) {
        growths.add(
            StormNotifications.growth(reader, one, count, now, new NotificationTexts(ofReader)));
      } else {
        offers.sample(fresh).ifPresent(sample -> gather(share, one, sample, count, offers));
        dues.computeIfAbsent(
            reader, _ -> new DigestStore.Due(reader, now, DigestHour.next(now, ofReader)));
      }
      counted.add(() -> metrics.storm(one.reason(), instant ? "collapsed" : "digest", count));
    }

    private void gather(
        RecipientStorm share,
        EligibleAlert.MatchedRule one,
        Numbered sample,
        int count,
        StormOffers offers) {
      AlertContent news =
          AlertContent.ofStorm(
              sample.id(), share.seller(), sample.activatedAt(), now, offers.title(sample.id()));
      items.add(
          new DigestStore.Item(
              now, new Alert(share.recipient(), news, Set.of(one.reason())), count));
    }

    void write(Tx tx) throws SQLException {
      budgets.write(tx, remainingBudgets.values());
      notified.put(tx, after, LocalDate.ofInstant(now, ZoneOffset.UTC));
      digests.add(tx, dues.values(), items);
      rules.countMatches(tx, matches, now);
      bell.grow(tx, growths);
      tx.afterCommit(() -> counted.forEach(Runnable::run));
    }
  }
}
