package dev.torg.promotions.audit;

import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PaymentStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The rows of one home that state what became of money.
///
/// @param now of the snapshot
/// @param queued webhooks that the sandbox has not sent and received ones that are to be processed
public record MoneySnapshot(
    Instant now,
    List<Payment> payments,
    List<Transition> transitions,
    List<Application> applications,
    List<ProviderPayment> providerPayments,
    List<ProviderRefund> providerRefunds,
    List<Account> accounts,
    List<Leg> legs,
    List<Target> targets,
    List<Promotion> promotions,
    List<Expiry> expiries,
    long queued) {

  public MoneySnapshot {
    payments = List.copyOf(payments);
    transitions = List.copyOf(transitions);
    applications = List.copyOf(applications);
    providerPayments = List.copyOf(providerPayments);
    providerRefunds = List.copyOf(providerRefunds);
    accounts = List.copyOf(accounts);
    legs = List.copyOf(legs);
    targets = List.copyOf(targets);
    promotions = List.copyOf(promotions);
    expiries = List.copyOf(expiries);
  }

  public record Payment(
      String id,
      String payer,
      String purpose,
      String reference,
      PaymentStatus status,
      String provider,
      long total,
      String currency,
      long refundDue,
      long refunded,
      int audits,
      List<PaymentLine> lines) {
    public Payment {
      lines = List.copyOf(lines);
    }

    /// What was or will be returned.
    long returned() {
      return refunded + refundDue;
    }

    boolean wasPaid() {
      return status != PaymentStatus.PENDING && status != PaymentStatus.DECLINED;
    }
  }

  public record Transition(String payment, int n, PaymentStatus from, PaymentStatus to) {}

  /// What became of a service of a payment.
  public enum Outcome {
    APPLIED,
    REFUNDED,
    TAKEN_BACK
  }

  public record Application(
      String payment, String service, Outcome outcome, long amount, Instant at) {}

  /// As the sandbox knows it.
  public record ProviderPayment(
      String id, boolean isPaid, long amount, String currency, long refunded) {}

  public record ProviderRefund(String payment, long amount) {}

  public record Account(String seller, String currency, long balance) {}

  /// The kinds of ledger entries.
  public enum EntryKind {
    TOP_UP,
    CHARGE,
    REFUND
  }

  /// @param isBalance whether it is the leg of the seller's balance
  public record Leg(
      String seller,
      String currency,
      long entry,
      boolean isBalance,
      EntryKind kind,
      long amount,
      String reference,
      Optional<String> refersTo,
      String reason,
      Instant at) {}

  /// @param hasEnded whether the offer is banned, sold or removed
  public record Target(String entity, boolean hasEnded) {}

  public record Promotion(
      String entity, String service, Instant since, Instant until, String source) {}

  public record Expiry(String entity, String service, Instant at) {}
}
