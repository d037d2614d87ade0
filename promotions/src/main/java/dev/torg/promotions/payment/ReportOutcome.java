package dev.torg.promotions.payment;

import java.util.Arrays;

/// What became of a report of the provider. The numbers are those of the column `outcome`.
enum ReportOutcome {
  /// Not processed yet.
  WAITING(0),
  /// The payment has changed.
  CHANGED(1),
  /// Repeated, or overtaken by a later one.
  NO_EFFECT(2),
  /// There is no such payment.
  UNKNOWN(3),
  /// The amount or the currency is not that of the payment.
  MISMATCH(4),
  /// It failed repeatedly.
  FAILED(5);

  private final int number;

  ReportOutcome(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static ReportOutcome ofNumber(int number) {
    return Arrays.stream(values())
        .filter(outcome -> outcome.number == number)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no outcome of a webhook: " + number));
  }
}
