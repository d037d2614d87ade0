package dev.torg.promotions;

import java.util.Optional;

/// The built-in payment provider as a person uses it. Blocks on the database.
public interface SandboxCheckouts {
  Optional<SandboxCheckout> find(PaymentId id);

  /// Pays. Without effect if it is paid already. Returns the payment as it is then.
  ///
  /// @throws dev.torg.platform.Failure NOT_FOUND `sandbox-payment.not-found`
  SandboxCheckout pay(PaymentId id);

  /// Declines. Without effect if it is paid or declined already. Returns the payment as it is then.
  ///
  /// @throws dev.torg.platform.Failure NOT_FOUND `sandbox-payment.not-found`
  SandboxCheckout decline(PaymentId id);
}
