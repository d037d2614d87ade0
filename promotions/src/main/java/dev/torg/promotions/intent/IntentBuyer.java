package dev.torg.promotions.intent;

import dev.torg.api.v1.Offer;
import dev.torg.notifications.Bell;
import dev.torg.platform.Backoff;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.apply.Activation;
import dev.torg.promotions.apply.ActivationResult;
import dev.torg.promotions.apply.EntityState;
import dev.torg.promotions.apply.PromotionWriter;
import dev.torg.promotions.apply.PromotionWriter.LockedPromotions;
import dev.torg.promotions.ledger.LedgerEntry;
import dev.torg.promotions.ledger.LedgerStore;
import dev.torg.promotions.ledger.Posting;
import dev.torg.promotions.ledger.PostingOutcome;
import dev.torg.promotions.ledger.PostingOutcome.Posted;
import dev.torg.promotions.ledger.PostingOutcome.Reason;
import dev.torg.promotions.ledger.PostingOutcome.Refused;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Decides examined intents within one transaction: charges the balances, activates the services, and writes the intents'
/// new states and the notices of balances that do not suffice. All of it commits together, or nothing.
///
/// An intent that has changed since it was read is skipped and stays due.
final class IntentBuyer {
  private static final Backoff PRICE_RETRY =
      new Backoff(Duration.ofSeconds(30), Duration.ofHours(1));

  private final PromotionWriter promotions;
  private final LedgerStore ledger;
  private final Bell bell;
  private final UnpaidNotices notices;
  private final IntentStore store = new IntentStore();

  IntentBuyer(PromotionWriter promotions, LedgerStore ledger, Bell bell, UnpaidNotices notices) {
    this.promotions = promotions;
    this.ledger = ledger;
    this.bell = bell;
    this.notices = notices;
  }

  /// The intents are of one shard. Returns how many were bought.
  int decide(Tx tx, List<ExaminedIntent> examined, Instant now) throws SQLException {
    Map<PromotedEntity, LockedPromotions> offers = promotions.lock(tx, states(examined), now);
    LockedIntents intents =
        LockedIntents.lock(tx, store, examined.stream().map(one -> one.intent().key()).toList());
    List<Purchase> purchases = new ArrayList<>();
    for (ExaminedIntent one : examined) {
      if (isUnchanged(one, intents)) {
        decide(one, offers, intents, purchases, now);
      }
    }
    return buy(tx, purchases, intents, now);
  }

  /// What is to be charged and activated for an intent.
  private record Purchase(ExaminedIntent examined, Offer offer, List<PaymentLine> lines) {
    Posting posting() {
      String seller = examined.intent().key().seller();
      return new Posting(
          lines.stream()
              .map(
                  line ->
                      LedgerEntry.charge(
                          seller,
                          line.amount(),
                          examined.reference(line.label()),
                          line.label() + " for offer " + offer.getId()))
              .toList());
    }

    List<Activation> activations() {
      PromotedEntity entity = PromotedEntity.of(OfferId.parse(offer.getId()));
      return lines.stream()
          .map(
              line ->
                  new Activation(
                      entity,
                      EntityState.of(offer),
                      line.services(),
                      examined.reference(line.label())))
          .toList();
    }

    Money total() {
      long sum = lines.stream().mapToLong(line -> line.amount().amount()).reduce(0, Math::addExact);
      return new Money(sum, lines.getFirst().amount().currency());
    }
  }

  private static Map<PromotedEntity, EntityState> states(List<ExaminedIntent> examined) {
    Map<PromotedEntity, EntityState> states = new HashMap<>();
    examined.forEach(one -> one.entity().ifPresent(entity -> states.put(entity, one.state())));
    return states;
  }

  private static boolean isUnchanged(ExaminedIntent examined, LockedIntents intents) {
    return intents
        .find(examined.intent().key())
        .filter(stored -> stored.version() == examined.intent().version())
        .isPresent();
  }

  private static void decide(
      ExaminedIntent examined,
      Map<PromotedEntity, LockedPromotions> offers,
      LockedIntents intents,
      List<Purchase> purchases,
      Instant now) {
    Intent intent = examined.intent();
    Optional<LockedPromotions> locked =
        examined.entity().flatMap(entity -> Optional.ofNullable(offers.get(entity)));
    switch (IntentDecision.of(locked, intent.services(), examined.prices())) {
      case IntentDecision.WaitForOffer _ ->
          intents.put(state(intent, examined, IntentState.WAITING_FOR_OFFER, Optional.empty()));
      case IntentDecision.NothingToBuy _ ->
          intents.put(state(intent, examined, IntentState.APPLIED, Optional.empty()));
      case IntentDecision.WaitUntil until ->
          intents.put(
              state(intent, examined, IntentState.WAITING_FOR_OFFER, Optional.of(until.time())));
      case IntentDecision.NoPrice _ ->
          intents.put(state(intent, examined, IntentState.WAITING_FOR_PRICE, Optional.empty()));
      case IntentDecision.RetryPrice _ -> intents.put(priceRetry(intent, examined, now));
      case IntentDecision.ExamineAgain _ -> {}
      case IntentDecision.Buy buy ->
          purchases.add(new Purchase(examined, examined.offer().orElseThrow(), buy.lines()));
    }
  }

  private static Intent state(
      Intent intent, ExaminedIntent examined, IntentState state, Optional<Instant> again) {
    return intent.examined(state, 0, offerId(examined), again);
  }

  private static Intent priceRetry(Intent intent, ExaminedIntent examined, Instant now) {
    int attempts = intent.attempts() + 1;
    return intent.examined(
        IntentState.WAITING_FOR_PRICE,
        attempts,
        offerId(examined),
        Optional.of(now.plus(PRICE_RETRY.after(attempts))));
  }

  private static Optional<OfferId> offerId(ExaminedIntent examined) {
    return examined.offer().map(offer -> OfferId.parse(offer.getId()));
  }

  private int buy(Tx tx, List<Purchase> purchases, LockedIntents intents, Instant now)
      throws SQLException {
    List<PostingOutcome> outcomes =
        ledger.post(tx, purchases.stream().map(Purchase::posting).toList(), now);
    List<Activation> paid = new ArrayList<>();
    Map<String, UnpaidNotices.Unpaid> unpaid = new HashMap<>();
    for (int i = 0; i < purchases.size(); i++) {
      Purchase purchase = purchases.get(i);
      if (isPaid(outcomes.get(i))) {
        paid.addAll(purchase.activations());
      } else {
        unpaid.putIfAbsent(
            purchase.examined().intent().key().seller(), unpaid(purchase, outcomes.get(i)));
      }
      intents.put(after(purchase, outcomes.get(i)));
    }
    activate(tx, paid, now);
    Set<String> notify = intents.write(tx, unpaid.keySet());
    unpaid.keySet().retainAll(notify);
    if (!unpaid.isEmpty()) {
      bell.write(tx, notices.entries(tx, unpaid, now));
    }
    return purchases.size() - (int) outcomes.stream().filter(one -> !isPaid(one)).count();
  }

  private static Intent after(Purchase purchase, PostingOutcome outcome) {
    IntentState state = isPaid(outcome) ? IntentState.APPLIED : IntentState.WAITING_FOR_BALANCE;
    return state(purchase.examined().intent(), purchase.examined(), state, Optional.empty());
  }

  /// The references are new in every purchase, so they cannot exist.
  private static boolean isPaid(PostingOutcome outcome) {
    return switch (outcome) {
      case Posted _ -> true;
      case Refused(Reason reason, long _) when reason == Reason.INSUFFICIENT_BALANCE -> false;
      case Refused _, PostingOutcome.Repeated _ ->
          throw new IllegalStateException(
              "a charge of an intent was not expected to be " + outcome);
    };
  }

  private static UnpaidNotices.Unpaid unpaid(Purchase purchase, PostingOutcome outcome) {
    Money total = purchase.total();
    return new UnpaidNotices.Unpaid(
        purchase.offer(),
        purchase.lines().stream().map(PaymentLine::label).toList(),
        total,
        new Money(outcome.balance(), total.currency()));
  }

  private void activate(Tx tx, List<Activation> paid, Instant now) throws SQLException {
    List<ActivationResult> results = promotions.activate(tx, paid, now);
    if (results.stream().anyMatch(result -> result != ActivationResult.ACTIVATED)) {
      throw new IllegalStateException("services that were locked could not be activated");
    }
  }
}
