package dev.torg.promotions;

import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Optional;

/// Payments of any purpose through the installation's payment provider.
public interface Payments {
  /// Creates a payment here and at the provider, or returns the one that the same request created. Blocks.
  ///
  /// @throws dev.torg.platform.Failure CONFLICT `idempotency-key.reused` if the key was used for another request;
  ///     UNAVAILABLE if the provider cannot be reached: the same request continues later
  CreatedPayment create(NewPayment payment);

  /// Blocks.
  Optional<StoredPayment> find(PaymentId id);

  /// Marks a PAID payment as APPLIED in the caller's transaction, which must be of the payment's shard. A payment that is
  /// APPLIED already is refused, so that it is used once.
  ///
  /// @throws dev.torg.platform.Failure CONFLICT `payment.not-usable` unless the payment is PAID and matches
  void use(Tx tx, PaymentUse use) throws SQLException;

  /// Decides in the caller's transaction to return everything that is left of a PAID payment. A job returns the money.
  /// Without effect if that was decided before.
  ///
  /// @throws dev.torg.platform.Failure CONFLICT `payment.not-refundable` if it is not PAID
  void refund(Tx tx, PaymentId id, String reason) throws SQLException;
}
