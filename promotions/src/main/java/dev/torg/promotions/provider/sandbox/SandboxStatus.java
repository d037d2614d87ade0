package dev.torg.promotions.provider.sandbox;

import dev.torg.promotions.provider.ProviderPayment;
import java.util.Arrays;

/// The states of a payment in the sandbox. One that was declined can still be paid, with another card so to speak.
enum SandboxStatus {
  PENDING(1),
  DECLINED(2),
  PAID(3);

  private final int number;

  SandboxStatus(int number) {
    this.number = number;
  }

  /// In the database; never changed.
  int number() {
    return number;
  }

  static SandboxStatus ofNumber(int number) {
    return Arrays.stream(values())
        .filter(status -> status.number == number)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no status of the sandbox: " + number));
  }

  ProviderPayment.State state() {
    return switch (this) {
      case PENDING -> ProviderPayment.State.PENDING;
      case DECLINED -> ProviderPayment.State.DECLINED;
      case PAID -> ProviderPayment.State.PAID;
    };
  }
}
