package dev.torg.promotions;

import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Decides what happens to the payments of a purpose.
public interface PaymentHandler {
  /// The purpose, as in [NewPayment#purpose].
  String purpose();

  /// Reads what the delivery of these payments depends on and is not in their home's transaction, such as offers. Blocks.
  ///
  /// @return delivers them, in a transaction that may be repeated
  Delivery prepare(List<StoredPayment> payments);

  /// Takes back what the payment paid for, in the transaction that decides to return its money. The payment is locked.
  ///
  /// @throws dev.torg.platform.Failure CONFLICT if it cannot be taken back
  void takeBack(Tx tx, StoredPayment payment, Instant now) throws SQLException;

  /// Delivers payments.
  @FunctionalInterface
  interface Delivery {
    /// Delivers payments that are paid now; they are locked, and among those that were prepared. Called once per payment:
    /// the transaction stores the outcomes. All payments are of one shard.
    ///
    /// @return one outcome per payment
    Map<PaymentId, PaymentOutcome> deliver(Tx tx, List<StoredPayment> paid, Instant now)
        throws SQLException;
  }
}
