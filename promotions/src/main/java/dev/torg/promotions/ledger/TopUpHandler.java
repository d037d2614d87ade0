package dev.torg.promotions.ledger;

import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.PaymentHandler;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentOutcome;
import dev.torg.promotions.StoredPayment;
import dev.torg.promotions.ledger.PostingOutcome.Posted;
import dev.torg.promotions.ledger.PostingOutcome.Reason;
import dev.torg.promotions.ledger.PostingOutcome.Refused;
import dev.torg.promotions.ledger.PostingOutcome.Repeated;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Adds what was paid to the payer's balance. The payment's id is the reference of the entry, so a payment is added once.
public final class TopUpHandler implements PaymentHandler {
  /// The purpose of payments that top up a balance.
  public static final String PURPOSE = "TOP_UP";

  private final LedgerStore ledger;

  public TopUpHandler(LedgerStore ledger) {
    this.ledger = ledger;
  }

  @Override
  public String purpose() {
    return PURPOSE;
  }

  @Override
  public Delivery prepare(List<StoredPayment> payments) {
    return this::deliver;
  }

  private Map<PaymentId, PaymentOutcome> deliver(Tx tx, List<StoredPayment> paid, Instant now)
      throws SQLException {
    List<PostingOutcome> posted =
        ledger.post(tx, paid.stream().map(TopUpHandler::posting).toList(), now);
    Map<PaymentId, PaymentOutcome> outcomes = new HashMap<>();
    for (int i = 0; i < paid.size(); i++) {
      outcomes.put(paid.get(i).id(), outcome(posted.get(i)));
    }
    return outcomes;
  }

  private static Posting posting(StoredPayment payment) {
    return Posting.of(
        LedgerEntry.topUp(
            payment.payer(), payment.total(), payment.id().text(), payment.description()));
  }

  private static PaymentOutcome outcome(PostingOutcome posted) {
    return switch (posted) {
      case Posted _, Repeated _ -> new PaymentOutcome.Delivered();
      case Refused(Reason reason, long _) when reason == Reason.BALANCE_LIMIT ->
          new PaymentOutcome.NotDelivered("the balance would exceed its limit");
      case Refused refused ->
          throw new IllegalStateException("a top-up was not expected to be " + refused);
    };
  }

  /// Only money that is still on the balance can be returned.
  @Override
  public void takeBack(Tx tx, StoredPayment payment, Instant now) throws SQLException {
    Money money = new Money(payment.refundable(), payment.total().currency());
    PostingOutcome outcome =
        ledger.post(
            tx,
            Posting.of(
                LedgerEntry.refundOfTopUp(
                    payment.payer(),
                    money,
                    payment.id().text(),
                    payment.id().text(),
                    "top-up returned")),
            now);
    if (outcome instanceof Refused(Reason reason, long _)) {
      throw Failure.conflict(
          "payment.not-refundable",
          reason == Reason.INSUFFICIENT_BALANCE
              ? "the money has been spent: the balance is less than the payment"
              : "the payment is not on the balance");
    }
  }
}
