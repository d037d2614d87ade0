package dev.torg.promotions;

import dev.torg.platform.Money;
import java.util.List;

/// A payment of the sandbox as its page shows it.
///
/// @param refunded in minor units
/// @param description such as the title of the offer; written by users
/// @param returnUrl where the payer goes afterwards; empty if nowhere
public record SandboxCheckout(
    PaymentId id,
    Status status,
    Money total,
    long refunded,
    String description,
    String returnUrl,
    List<Line> lines) {
  public enum Status {
    PENDING,
    DECLINED,
    PAID,
    /// Everything was returned.
    REFUNDED
  }

  /// One thing that is paid for.
  public record Line(String label, Money amount) {}

  public SandboxCheckout {
    lines = List.copyOf(lines);
  }
}
