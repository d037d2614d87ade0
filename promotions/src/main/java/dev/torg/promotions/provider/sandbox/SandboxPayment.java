package dev.torg.promotions.provider.sandbox;

import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.SandboxCheckout;
import dev.torg.promotions.provider.CheckoutLine;
import java.util.List;
import java.util.Optional;

/// A payment in the sandbox.
///
/// @param events how many events were created for it
/// @param refunded in minor units
record SandboxPayment(
    PaymentId id,
    SandboxStatus status,
    int events,
    Money total,
    long refunded,
    String description,
    String returnUrl,
    List<CheckoutLine> lines) {
  SandboxPayment {
    lines = List.copyOf(lines);
  }

  /// The payment after the action, or nothing if the action changes nothing: it was done before, or the payment is paid.
  Optional<SandboxPayment> after(SandboxAction action) {
    return switch (status) {
      case PENDING ->
          Optional.of(
              switch (action) {
                case PAY -> changed(SandboxStatus.PAID, refunded);
                case DECLINE -> changed(SandboxStatus.DECLINED, refunded);
              });
      case DECLINED ->
          action == SandboxAction.PAY
              ? Optional.of(changed(SandboxStatus.PAID, refunded))
              : Optional.empty();
      case PAID -> Optional.empty();
    };
  }

  /// The payment after a refund, or nothing if the amount cannot be returned.
  Optional<SandboxPayment> afterRefund(Money amount) {
    boolean isPossible =
        status == SandboxStatus.PAID
            && amount.currency().equals(total.currency())
            && amount.amount() > 0
            && amount.amount() <= total.amount() - refunded;
    return isPossible ? Optional.of(changed(status, refunded + amount.amount())) : Optional.empty();
  }

  private SandboxPayment changed(SandboxStatus to, long refundedNow) {
    return new SandboxPayment(
        id, to, events + 1, total, refundedNow, description, returnUrl, lines);
  }

  /// As the page shows it.
  SandboxCheckout checkout() {
    return new SandboxCheckout(
        id,
        shownStatus(),
        total,
        refunded,
        description,
        returnUrl,
        lines.stream().map(line -> new SandboxCheckout.Line(line.label(), line.amount())).toList());
  }

  private SandboxCheckout.Status shownStatus() {
    return switch (status) {
      case PENDING -> SandboxCheckout.Status.PENDING;
      case DECLINED -> SandboxCheckout.Status.DECLINED;
      case PAID ->
          refunded == total.amount()
              ? SandboxCheckout.Status.REFUNDED
              : SandboxCheckout.Status.PAID;
    };
  }

  /// The provider's id of the payment.
  static String reference(PaymentId id) {
    return "sandbox_" + id;
  }

  /// The id of the event that the last change created. Without a dot, as the signature requires.
  String eventId() {
    return "sandbox_" + id + "_" + events;
  }
}
