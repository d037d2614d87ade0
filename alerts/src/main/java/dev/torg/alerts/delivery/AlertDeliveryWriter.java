package dev.torg.alerts.delivery;

import dev.torg.alerts.digest.DigestHour;
import dev.torg.alerts.digest.DigestStore;
import dev.torg.alerts.eligibility.AlertChannels;
import dev.torg.alerts.eligibility.AlertEligibility;
import dev.torg.alerts.eligibility.CandidateAlert;
import dev.torg.alerts.eligibility.EligibleAlert;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.storm.StormStore;
import dev.torg.alerts.text.NotificationTexts;
import dev.torg.alerts.text.OpenLinks;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.AlertRules.PriceUpdate;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.notifications.BellEntry;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.RecipientSettings;
import dev.torg.offers.category.Categories;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import dev.torg.queries.PriceHash;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Notifies recipients in their home and in the caller's transaction: the rows that decide (`told`, the
/// price in the recipient's own row) and their effects (bell or digest) commit together or not at all.
///
/// Locks are taken in the order of docs/data-model.md#lock-order. The lock of the budget also excludes a
/// concurrent storm for the same recipient ([StormDeliveryWriter]).
final class AlertDeliveryWriter {
  private final DeliveryContext context;
  private final Categories categories;
  private final AlertDedupStore dedupStore = new AlertDedupStore();
  private final StormNotifiedStore notified = new StormNotifiedStore();
  private final AlertBudgetStore budgets = new AlertBudgetStore();
  private final DigestStore digests = new DigestStore();

  AlertDeliveryWriter(DeliveryContext context, Categories categories) {
    this.context = context;
    this.categories = categories;
  }

  /// What was not delivered: the recipients who were merged into a login (anonymous → login), and the
  /// alerts whose offers may have got a position in a storm since positions were read.
  record Unfinished(Map<String, String> mergedInto, List<Alert> unsure) {}

  /// Where tables are distributed, all candidates belong to one shard.
  ///
  /// @param numbered the positions of their offers in storms, read before
  Unfinished deliver(Tx tx, List<CandidateAlert> candidates, StormStore.NumberedOffers numbered)
      throws SQLException {
    LockedAlertRules locked = context.rules().lockForShare(tx, AlertEligibility.keys(candidates));
    Set<String> recipients =
        candidates.stream()
            .map(candidate -> candidate.alert().recipient())
            .filter(recipient -> !locked.mergedInto().containsKey(recipient))
            .collect(Collectors.toSet());
    List<Alert> unsure = new ArrayList<>();
    if (!recipients.isEmpty()) {
      Map<String, NotificationSettings> settingsOf = context.settings().of(tx, recipients);
      List<EligibleAlert> eligibleAlerts = evaluate(tx, candidates, locked);
      Map<String, AlertBudget> remaining = lock(tx, eligibleAlerts);
      List<EligibleAlert> undelivered =
          decide(tx, withoutStorms(tx, eligibleAlerts, numbered, unsure));
      if (!undelivered.isEmpty()) {
        write(tx, undelivered, settingsOf, remaining);
      }
    }
    return new Unfinished(locked.mergedInto(), unsure);
  }

  private Map<String, AlertBudget> lock(Tx tx, List<EligibleAlert> eligibleAlerts)
      throws SQLException {
    Set<String> recipients =
        eligibleAlerts.stream()
            .map(EligibleAlert::recipient)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return budgets.lock(tx, recipients, context.clock().instant());
  }

  /// The alerts whose recipients were not notified in a storm.
  private List<EligibleAlert> withoutStorms(
      Tx tx,
      List<EligibleAlert> eligibleAlerts,
      StormStore.NumberedOffers numbered,
      List<Alert> unsure)
      throws SQLException {
    Map<List<String>, List<StormNotifiedStore.Block>> notifiedOf = new HashMap<>();
    List<StormNotifiedStore.Key> keys =
        eligibleAlerts.stream()
            .map(EligibleAlert::alert)
            .filter(alert -> alert.content().isNew())
            .map(alert -> StormNotifiedCheck.key(alert, numbered))
            .toList();
    for (StormNotifiedStore.Block block : notified.find(tx, keys)) {
      notifiedOf
          .computeIfAbsent(
              List.of(block.key().owner(), block.key().seller()), _ -> new ArrayList<>())
          .add(block);
    }
    List<EligibleAlert> remaining = new ArrayList<>();
    for (EligibleAlert eligible : eligibleAlerts) {
      AlertContent content = eligible.alert().content();
      List<StormNotifiedStore.Block> blocks =
          notifiedOf.getOrDefault(List.of(eligible.recipient(), content.seller()), List.of());
      switch (content.isNew()
          ? StormNotifiedCheck.of(content, blocks, numbered)
          : StormNotifiedCheck.NEW) {
        case NEW -> remaining.add(eligible);
        case NOTIFIED ->
            tx.afterCommit(() -> context.metrics().deduplicated(eligible.first().reason()));
        case UNSURE -> unsure.add(eligible.alert());
      }
    }
    return remaining;
  }

  private List<EligibleAlert> evaluate(
      Tx tx, List<CandidateAlert> candidates, LockedAlertRules locked) throws SQLException {
    Map<CandidateAlert, EligibleAlert.MatchedRule> further = further(tx, candidates, locked);
    List<EligibleAlert> eligibleAlerts = new ArrayList<>();
    for (CandidateAlert candidate : candidates) {
      if (!locked.mergedInto().containsKey(candidate.alert().recipient())) {
        Optional<EligibleAlert> evaluated =
            AlertEligibility.evaluate(
                candidate, locked, Optional.ofNullable(further.get(candidate)).stream().toList());
        evaluated.ifPresentOrElse(
            eligibleAlerts::add, () -> context.metrics().dropped("no-reason"));
      }
    }
    return eligibleAlerts;
  }

  /// Further searches of the recipients that count if the alert does not name all reasons and the named
  /// ones do not decide.
  private Map<CandidateAlert, EligibleAlert.MatchedRule> further(
      Tx tx, List<CandidateAlert> candidates, LockedAlertRules locked) throws SQLException {
    List<CandidateAlert> instant = new ArrayList<>();
    List<CandidateAlert> daily = new ArrayList<>();
    for (CandidateAlert candidate : candidates) {
      if (!locked.mergedInto().containsKey(candidate.alert().recipient())) {
        List<Delivery> worth =
            AlertEligibility.worthFinding(
                candidate, AlertEligibility.evaluate(candidate, locked), locked);
        if (worth.contains(Delivery.INSTANT)) {
          instant.add(candidate);
        }
        if (worth.contains(Delivery.DAILY)) {
          daily.add(candidate);
        }
      }
    }
    RemainingReasonFinder searches = new RemainingReasonFinder(context.rules(), categories);
    Map<CandidateAlert, EligibleAlert.MatchedRule> matched =
        searches.find(tx, instant, Delivery.INSTANT);
    daily.removeIf(matched::containsKey);
    matched.putAll(searches.find(tx, daily, Delivery.DAILY));
    return matched;
  }

  /// The alerts that are new to their recipients; records them as delivered.
  private List<EligibleAlert> decide(Tx tx, List<EligibleAlert> eligibleAlerts)
      throws SQLException {
    List<EligibleAlert> prices =
        eligibleAlerts.stream().filter(c -> !c.alert().content().isNew()).toList();
    Set<AlertDedupStore.Key> newPrices =
        context
            .rules()
            .updateKnownPrices(tx, prices.stream().map(AlertDeliveryWriter::price).toList())
            .stream()
            .map(
                price -> new AlertDedupStore.Key(price.recipient(), OfferId.parse(price.offerId())))
            .collect(Collectors.toSet());
    Set<AlertDedupStore.Key> newOffers =
        dedupStore.insertNew(
            tx,
            eligibleAlerts.stream()
                .map(EligibleAlert::alert)
                .filter(alert -> alert.content().isNew())
                .toList());
    List<EligibleAlert> undelivered = new ArrayList<>();
    for (EligibleAlert eligible : eligibleAlerts) {
      Set<AlertDedupStore.Key> decided = eligible.alert().content().isNew() ? newOffers : newPrices;
      if (decided.contains(
          new AlertDedupStore.Key(eligible.recipient(), eligible.alert().content().offer()))) {
        undelivered.add(eligible);
      } else {
        tx.afterCommit(() -> context.metrics().deduplicated(eligible.first().reason()));
      }
    }
    return undelivered;
  }

  private static PriceUpdate price(EligibleAlert eligible) {
    return new PriceUpdate(
        eligible.recipient(),
        eligible.offer().getId(),
        PriceHash.of(eligible.offer()),
        eligible.offer().getVersion());
  }

  private void write(
      Tx tx,
      List<EligibleAlert> undelivered,
      Map<String, NotificationSettings> settingsOf,
      Map<String, AlertBudget> remaining)
      throws SQLException {
    Instant now = context.clock().instant();
    PendingWrites writes = new PendingWrites(now, settingsOf, context.links());
    for (EligibleAlert eligible : undelivered) {
      AlertBudget budget = remaining.get(eligible.recipient());
      AlertBudget.Mode mode =
          eligible.isInstant() && budget != null
              ? budget.spend(eligible.first().reason(), context.limits())
              : AlertBudget.Mode.DIGEST;
      writes.add(eligible, mode);
      tx.afterCommit(
          () ->
              context
                  .metrics()
                  .written(eligible.alert().content(), eligible.first().reason(), name(mode), now));
    }
    budgets.write(tx, usedBudgets(undelivered, remaining));
    digests.add(tx, writes.dues.values(), writes.items);
    context.rules().countMatches(tx, matches(undelivered), now);
    context.bell().write(tx, writes.entries);
  }

  private static List<AlertBudget> usedBudgets(
      List<EligibleAlert> undelivered, Map<String, AlertBudget> remaining) {
    Set<String> recipients =
        undelivered.stream()
            .filter(EligibleAlert::isInstant)
            .map(EligibleAlert::recipient)
            .collect(Collectors.toSet());
    return remaining.values().stream().filter(budget -> recipients.contains(budget.owner)).toList();
  }

  private static String name(AlertBudget.Mode mode) {
    return switch (mode) {
      case INSTANT -> "instant";
      case COLLAPSED -> "collapsed";
      case DIGEST -> "digest";
    };
  }

  private static List<AlertRuleKey> matches(List<EligibleAlert> undelivered) {
    return undelivered.stream()
        .flatMap(eligible -> eligible.matchedRules().stream())
        .map(matched -> matched.rule().key())
        .filter(key -> key.kind() == FavoriteKind.SEARCH)
        .toList();
  }

  /// The entries and digest items that a transaction writes.
  private static final class PendingWrites {
    final List<BellEntry> entries = new ArrayList<>();
    final List<DigestStore.Item> items = new ArrayList<>();
    final Map<String, DigestStore.Due> dues = new HashMap<>();
    private final Instant now;
    private final Map<String, NotificationSettings> recipientSettings;
    private final OpenLinks links;

    PendingWrites(Instant now, Map<String, NotificationSettings> settingsOf, OpenLinks links) {
      this.now = now;
      this.recipientSettings = settingsOf;
      this.links = links;
    }

    void add(EligibleAlert eligible, AlertBudget.Mode mode) {
      NotificationSettings settings =
          recipientSettings.getOrDefault(eligible.recipient(), RecipientSettings.DEFAULTS);
      switch (mode) {
        case INSTANT -> entries.add(entry(eligible, settings));
        case COLLAPSED ->
            entries.add(
                StormNotifications.entry(
                    eligible.recipient(),
                    eligible.first(),
                    1,
                    now,
                    new NotificationTexts(settings, links),
                    delivery(eligible, settings)));
        case DIGEST -> addToDigest(eligible, settings);
      }
    }

    private static DeliveryRequest delivery(EligibleAlert eligible, NotificationSettings settings) {
      return DeliveryRequest.on(AlertChannels.of(eligible.matchedRules(), settings));
    }

    private NewNotification entry(EligibleAlert eligible, NotificationSettings settings) {
      NotificationTexts texts = new NotificationTexts(settings, links);
      OfferId offer = eligible.alert().content().offer();
      boolean isNew = eligible.alert().content().isNew();
      return new NewNotification(
          eligible.recipient(),
          isNew ? "new:" + offer : "price:" + offer + ":" + eligible.offer().getVersion(),
          eligible.first().reason().kind().topic(),
          now,
          offer,
          isNew ? texts.ofNew(eligible) : texts.ofPrice(eligible, knownPrice(eligible)),
          delivery(eligible, settings));
    }

    private void addToDigest(EligibleAlert eligible, NotificationSettings settings) {
      Set<AlertReason> reasons =
          eligible.matchedRules().stream()
              .map(EligibleAlert.MatchedRule::reason)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      Alert item = new Alert(eligible.recipient(), eligible.alert().content(), reasons);
      items.add(new DigestStore.Item(now, item));
      dues.computeIfAbsent(
          eligible.recipient(),
          recipient -> new DigestStore.Due(recipient, now, DigestHour.next(now, settings)));
    }

    /// The price that the recipient knows, if it is among the former ones.
    private static @Nullable Money knownPrice(EligibleAlert eligible) {
      long hash = eligible.first().rule().priceHash();
      return eligible.alert().content().formerPrices().stream()
          .filter(price -> PriceHash.of(price) == hash)
          .findFirst()
          .orElse(null);
    }
  }
}
