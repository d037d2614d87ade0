package dev.torg.promotions;

import dev.torg.platform.Money;
import java.util.List;

/// One part of the total of a payment.
///
/// @param label shown to the payer; of a promotion the service that was bought
/// @param services of a promotion: what the line activates, all or nothing. The bought service is the first one, followed
///     by the parts of a bundle; empty for other purposes
public record PaymentLine(String label, Money amount, List<ServiceTerm> services) {
  public PaymentLine {
    services = List.copyOf(services);
  }

  /// A line that activates nothing.
  public static PaymentLine of(String label, Money amount) {
    return new PaymentLine(label, amount, List.of());
  }
}
