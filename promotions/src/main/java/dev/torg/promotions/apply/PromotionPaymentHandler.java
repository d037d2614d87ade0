package dev.torg.promotions.apply;

import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.PaymentHandler;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PaymentOutcome;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.RefundReasons;
import dev.torg.promotions.StoredPayment;
import dev.torg.promotions.apply.ApplicationStore.Application;
import dev.torg.promotions.apply.ApplicationStore.Applied;
import dev.torg.promotions.apply.PromotionWriter.AppliedTerm;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Applies payments for promotions. Each line is applied completely or not at all; what cannot be applied is returned.
///
/// The offers are read before the transaction. A status that changes after that is recorded in the target's row, under
/// whose lock the payment is applied: either this transaction sees the change, or the change ends what was applied.
public final class PromotionPaymentHandler implements PaymentHandler {
  /// The purpose of payments for promotions; their reference is the offer's id.
  public static final String PURPOSE = "PROMOTION";

  private final OfferLookup offers;
  private final PromotionWriter writer;
  private final ApplicationStore applications = new ApplicationStore();

  /// Reads offers from the database. Blocks.
  @FunctionalInterface
  public interface OfferLookup {
    /// The offers that exist.
    Map<OfferId, Offer> find(Collection<OfferId> ids);
  }

  public PromotionPaymentHandler(OfferLookup offers, PromotionWriter writer) {
    this.offers = offers;
    this.writer = writer;
  }

  @Override
  public String purpose() {
    return PURPOSE;
  }

  @Override
  public Delivery prepare(List<StoredPayment> payments) {
    Set<OfferId> ids = new LinkedHashSet<>();
    payments.forEach(payment -> ids.add(offer(payment)));
    Map<OfferId, Offer> found = offers.find(ids);
    Map<OfferId, EntityState> states = new HashMap<>();
    ids.forEach(id -> states.put(id, EntityState.of(found.get(id))));
    return (tx, paid, now) -> deliver(tx, states, paid, now);
  }

  private Map<PaymentId, PaymentOutcome> deliver(
      Tx tx, Map<OfferId, EntityState> states, List<StoredPayment> paid, Instant now)
      throws SQLException {
    Iterator<ActivationResult> results =
        writer.activate(tx, activations(states, paid), now).iterator();
    Map<PaymentId, PaymentOutcome> outcomes = new HashMap<>();
    List<Application> rows = new ArrayList<>();
    for (StoredPayment payment : paid) {
      List<ActivationResult> ofLines =
          Stream.generate(results::next).limit(payment.lines().size()).toList();
      outcomes.put(payment.id(), PromotionOutcome.of(payment, ofLines));
      for (int i = 0; i < ofLines.size(); i++) {
        rows.add(application(payment, payment.lines().get(i), ofLines.get(i)));
      }
    }
    applications.insert(tx, rows, now);
    return outcomes;
  }

  private static List<Activation> activations(
      Map<OfferId, EntityState> states, List<StoredPayment> paid) {
    List<Activation> activations = new ArrayList<>();
    for (StoredPayment payment : paid) {
      EntityState state = states.get(offer(payment));
      if (state == null) {
        throw new IllegalStateException(payment.id() + " was not prepared");
      }
      for (PaymentLine line : payment.lines()) {
        activations.add(
            new Activation(
                PromotedEntity.of(offer(payment)), state, line.services(), payment.id().text()));
      }
    }
    return activations;
  }

  private static Application application(
      StoredPayment payment, PaymentLine line, ActivationResult result) {
    return new Application(
        payment.id(),
        line.label(),
        result == ActivationResult.ACTIVATED
            ? ApplicationStore.Outcome.APPLIED
            : ApplicationStore.Outcome.REFUNDED,
        line.amount().amount());
  }

  /// Ends the services that the payment has applied, as far as they have not expired.
  @Override
  public void takeBack(Tx tx, StoredPayment payment, Instant now) throws SQLException {
    PromotedEntity entity = PromotedEntity.of(offer(payment));
    List<AppliedTerm> terms = new ArrayList<>();
    for (Applied applied : applications.takeBack(tx, payment.id())) {
      for (PaymentLine line : payment.lines()) {
        if (line.label().equals(applied.service())) {
          line.services().forEach(term -> terms.add(new AppliedTerm(entity, term, applied.at())));
        }
      }
    }
    writer.takeBack(tx, terms, now);
  }

  private static OfferId offer(StoredPayment payment) {
    return OfferId.parse(payment.reference());
  }

  /// Sums up what became of the lines.
  static final class PromotionOutcome {
    private PromotionOutcome() {}

    static PaymentOutcome of(StoredPayment payment, List<ActivationResult> results) {
      long refund = 0;
      String reason = "";
      for (int i = 0; i < results.size(); i++) {
        if (results.get(i) != ActivationResult.ACTIVATED) {
          refund += payment.lines().get(i).amount().amount();
          reason = reason.isEmpty() ? reason(results.get(i)) : reason;
        }
      }
      if (refund == 0) {
        return new PaymentOutcome.Delivered();
      }
      return refund == payment.total().amount()
          ? new PaymentOutcome.NotDelivered(reason)
          : new PaymentOutcome.PartlyDelivered(refund, reason);
    }

    private static String reason(ActivationResult result) {
      return switch (result) {
        case ALREADY_ACTIVE -> RefundReasons.ALREADY_ACTIVE;
        case SOLD -> RefundReasons.OFFER_SOLD;
        case BANNED -> RefundReasons.OFFER_BANNED;
        case GONE -> RefundReasons.OFFER_GONE;
        case ACTIVATED -> "";
      };
    }
  }
}
