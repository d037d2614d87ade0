package dev.torg.alerts.delivery;

import dev.torg.alerts.digest.DigestHour;
import dev.torg.alerts.digest.DigestStore;
import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.eligibility.EligibleAlert;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.storm.StormStore.Numbered;
import dev.torg.alerts.text.NotificationTexts;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.RecipientSettings;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
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

/// Notifies recipients of storms in their home and in the caller's transaction: deciding which offers are
/// new (`storm_notified` and `told`), recording them and displaying them (an aggregated entry, or an item
/// of the digest) commit together or not at all. Each offer counts once, for the rule that decides:
/// INSTANT before DAILY.
///
/// Locks are taken in the order of docs/data-model.md#lock-order. Under the lock of a recipient's budget
/// no concurrent transaction notifies that recipient of a new offer, so `told` is read without a lock.
final class StormDeliveryWriter {
  private final DeliveryContext context;
  private final AlertDedupStore dedupStore = new AlertDedupStore();
  private final StormNotifiedStore notified = new StormNotifiedStore();
  private final AlertBudgetStore budgets = new AlertBudgetStore();
  private final DigestStore digests = new DigestStore();

  StormDeliveryWriter(DeliveryContext context) {
    this.context = context;
  }

  /// Returns the recipients who were merged into a login (anonymous → login), for whom nothing was
  /// written. Where tables are distributed, all recipients belong to one shard. Keys must be distinct.
  Map<String, String> notify(
      Tx tx, List<RecipientStorm> shares, Map<StormNotifiedStore.Key, StormOffers> offersOf)
      throws SQLException {
    LockedAlertRules locked = context.rules().lockForShare(tx, keys(shares));
    List<RecipientStorm> unmerged =
        shares.stream()
            .filter(share -> !locked.mergedInto().containsKey(share.recipient()))
            .toList();
    if (!unmerged.isEmpty()) {
      Set<String> recipients =
          unmerged.stream()
              .map(RecipientStorm::recipient)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      Map<String, NotificationSettings> settingsOf = context.settings().of(tx, recipients);
      Instant now = context.clock().instant();
      Writing writing = new Writing(now, settingsOf, budgets.lock(tx, recipients, now));
      writing.read(tx, unmerged, offersOf);
      for (RecipientStorm share : unmerged) {
        StormOffers offers = offersOf.get(share.key());
        if (offers != null) {
          writing.add(share, matchedRules(share, locked), offers);
        }
      }
      writing.write(tx);
    }
    return locked.mergedInto();
  }

  private static Set<AlertRuleKey> keys(List<RecipientStorm> shares) {
    Set<AlertRuleKey> keys = new LinkedHashSet<>();
    for (RecipientStorm share : shares) {
      share.matches().keySet().forEach(reason -> keys.add(reason.key(share.recipient())));
      keys.add(new AlertRuleKey(share.recipient(), FavoriteKind.BLOCK, share.seller()));
    }
    return keys;
  }

  /// The recipient's matching rules, the deciding one first.
  private static List<EligibleAlert.MatchedRule> matchedRules(
      RecipientStorm share, LockedAlertRules locked) {
    String recipient = share.recipient();
    List<EligibleAlert.MatchedRule> matchedRules = new ArrayList<>();
    if (!locked.isBlocked(recipient, share.seller())
        && !AlertEligibility.isOwnOffer(share.seller(), recipient)) {
      for (AlertReason reason : share.matches().keySet()) {
        locked
            .rule(reason.key(recipient))
            .filter(AlertEligibility::isOn)
            .ifPresent(rule -> matchedRules.add(new EligibleAlert.MatchedRule(reason, rule)));
      }
    }
    matchedRules.sort(AlertEligibility.DECIDING);
    return matchedRules;
  }

  /// The writes of a transaction.
  private final class Writing {
    private final Instant now;
    private final Map<String, NotificationSettings> recipientSettings;
    private final Map<String, AlertBudget> remainingBudgets;
    private final Map<StormNotifiedStore.Key, BitSet> before = new HashMap<>();
    private final Map<StormNotifiedStore.Key, BitSet> after = new LinkedHashMap<>();
    private final Map<StormNotifiedStore.Key, BitSet> single = new HashMap<>();
    private final List<AggregatedNotification> entries = new ArrayList<>();
    private final List<DigestStore.Item> items = new ArrayList<>();
    private final Map<String, DigestStore.Due> dues = new HashMap<>();
    private final Map<AlertRuleKey, Integer> matches = new HashMap<>();
    private final List<Runnable> counted = new ArrayList<>();

    Writing(
        Instant now,
        Map<String, NotificationSettings> settingsOf,
        Map<String, AlertBudget> remaining) {
      this.now = now;
      this.recipientSettings = settingsOf;
      this.remainingBudgets = remaining;
    }

    /// Reads what the recipients were notified of before, in storms and one by one.
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
      BitSet previous = new BitSet();
      previous.or(single.getOrDefault(share.key(), new BitSet()));
      previous.or(before.getOrDefault(share.key(), new BitSet()));
      return previous;
    }

    void add(RecipientStorm share, List<EligibleAlert.MatchedRule> rules, StormOffers offers) {
      BitSet previous = alreadyNotified(share);
      BitSet newOffers = new BitSet();
      BitSet repeated = new BitSet();
      Map<EligibleAlert.MatchedRule, BitSet> concerned = new LinkedHashMap<>();
      for (EligibleAlert.MatchedRule matched : rules) {
        BitSet positions = share.matches().getOrDefault(matched.reason(), new BitSet());
        BitSet concerning = offers.activatedAfter(positions, matched.rule().createdAt());
        repeated.or(common(concerning, previous));
        concerning.andNot(previous);
        concerned.put(matched, (BitSet) concerning.clone());
        concerning.andNot(newOffers);
        if (!concerning.isEmpty()) {
          newOffers.or(concerning);
          show(share, matched, concerning, offers);
        }
      }
      countRemaining(rules, repeated.cardinality());
      if (!newOffers.isEmpty()) {
        concerned.forEach(this::count);
        newOffers.or(before.getOrDefault(share.key(), new BitSet()));
        after.put(share.key(), newOffers);
      }
    }

    private static BitSet common(BitSet a, BitSet b) {
      BitSet both = (BitSet) a.clone();
      both.and(b);
      return both;
    }

    /// Counts what was not delivered.
    private void countRemaining(List<EligibleAlert.MatchedRule> rules, int repeated) {
      if (rules.isEmpty()) {
        counted.add(() -> context.metrics().dropped("no-reason"));
      } else if (repeated > 0) {
        counted.add(() -> context.metrics().deduplicated(rules.getFirst().reason(), repeated));
      }
    }

    private void count(EligibleAlert.MatchedRule matched, BitSet concerned) {
      if (matched.reason().kind() == AlertReason.Kind.SEARCH && !concerned.isEmpty()) {
        matches.merge(matched.rule().key(), concerned.cardinality(), Integer::sum);
      }
    }

    private void show(
        RecipientStorm share,
        EligibleAlert.MatchedRule matched,
        BitSet newOffers,
        StormOffers offers) {
      String recipient = share.recipient();
      int count = newOffers.cardinality();
      NotificationSettings ofRecipient =
          recipientSettings.getOrDefault(recipient, RecipientSettings.DEFAULTS);
      Optional<AlertBudget> budget = Optional.ofNullable(remainingBudgets.get(recipient));
      boolean instant =
          matched.rule().delivery() == Delivery.INSTANT
              && budget
                  .filter(b -> b.spendStorm(matched.reason(), count, context.limits()))
                  .isPresent();
      if (instant) {
        entries.add(
            StormNotifications.entry(
                recipient, matched, count, now, new NotificationTexts(ofRecipient)));
      } else {
        offers
            .sample(newOffers)
            .ifPresent(sample -> addToDigest(share, matched, sample, count, offers));
        dues.computeIfAbsent(
            recipient, _ -> new DigestStore.Due(recipient, now, DigestHour.next(now, ofRecipient)));
      }
      counted.add(
          () -> context.metrics().storm(matched.reason(), instant ? "collapsed" : "digest", count));
    }

    private void addToDigest(
        RecipientStorm share,
        EligibleAlert.MatchedRule matched,
        Numbered sample,
        int count,
        StormOffers offers) {
      AlertContent content =
          AlertContent.ofStorm(
              sample.id(), share.seller(), sample.activatedAt(), now, offers.title(sample.id()));
      items.add(
          new DigestStore.Item(
              now, new Alert(share.recipient(), content, Set.of(matched.reason())), count));
    }

    void write(Tx tx) throws SQLException {
      budgets.write(tx, remainingBudgets.values());
      notified.put(tx, after, LocalDate.ofInstant(now, ZoneOffset.UTC));
      digests.add(tx, dues.values(), items);
      context.rules().countMatches(tx, matches, now);
      context.bell().write(tx, entries);
      tx.afterCommit(() -> counted.forEach(Runnable::run));
    }
  }
}
