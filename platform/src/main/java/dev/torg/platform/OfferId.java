package dev.torg.platform;

import java.security.SecureRandom;

/// Sixteen decimal digits, `HHH RRRRRRRRRRRR C`: the home, twelve random digits, a Luhn check digit. It
/// contains its home, so no lookup is needed to route it; it can be read out on the phone, detects a typing
/// error, and cannot be enumerated.
public record OfferId(long number) implements Comparable<OfferId> {
  private static final int LENGTH = 16;
  private static final long RANDOM_BOUND = 1_000_000_000_000L;
  private static final SecureRandom RANDOM = new SecureRandom();

  public OfferId {
    if (!isValid(number)) {
      throw Failure.invalid(
          "offer-id.malformed",
          "not an offer id",
          "id",
          "must be 16 digits with a correct check digit");
    }
  }

  /// A new id in the seller's home. The caller inserts it and draws another on the rare conflict.
  public static OfferId random(Home home) {
    long body = home.number() * RANDOM_BOUND + RANDOM.nextLong(RANDOM_BOUND);
    return new OfferId(body * 10 + checkDigit(body));
  }

  /// Reads `2314809375513083` and, as people write it down, `2314-8093-7551-3083`.
  public static OfferId parse(String text) {
    String digits = text.length() == LENGTH ? text : text.replace("-", "").replace(" ", "");
    if (digits.length() != LENGTH || !hasDigitsOnly(digits)) {
      throw Failure.invalid("offer-id.malformed", "not an offer id", "id", "must be 16 digits");
    }
    return new OfferId(Long.parseLong(digits));
  }

  private static boolean hasDigitsOnly(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  public static boolean isValid(long number) {
    if (number < 0 || number / (RANDOM_BOUND * 10) >= Home.COUNT) {
      return false;
    }
    return checkDigit(number / 10) == number % 10;
  }

  /// No id of the home is less than this number.
  public static long lowerBound(Home home) {
    return home.number() * RANDOM_BOUND * 10;
  }

  /// Every id of the home is less than this number.
  public static long upperBound(Home home) {
    return (home.number() + 1) * RANDOM_BOUND * 10;
  }

  public Home home() {
    return new Home((int) (number / (RANDOM_BOUND * 10)));
  }

  /// The id in groups of four.
  public String display() {
    String digits = toString();
    return digits.substring(0, 4)
        + '-'
        + digits.substring(4, 8)
        + '-'
        + digits.substring(8, 12)
        + '-'
        + digits.substring(12);
  }

  @Override
  public int compareTo(OfferId other) {
    return Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    String digits = Long.toString(number);
    return "0".repeat(LENGTH - digits.length()) + digits;
  }

  /// Luhn over the fifteen digits before the check digit.
  private static long checkDigit(long body) {
    int sum = 0;
    boolean doubled = true;
    for (long remainder = body; remainder > 0; remainder /= 10) {
      int digit = (int) (remainder % 10);
      sum += doubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
      doubled = !doubled;
    }
    return (10 - sum % 10) % 10;
  }
}
