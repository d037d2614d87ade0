package dev.torg.notifications.contacts;

import java.time.Instant;

/// What a code does to the address that waits for it.
enum CodeDecision {
  /// The address is verified.
  VERIFIED,
  /// The address was verified by this code before.
  REPEATED,
  WRONG,
  EXPIRED,
  /// Too many wrong codes were given.
  SPENT,
  NOTHING_TO_VERIFY;

  /// @param isRight whether the code is the one that was sent
  static CodeDecision of(StoredContact contact, boolean isRight, Instant now) {
    CodeChallenge challenge = contact.challenge();
    boolean isOpen = !challenge.isSpent() && !challenge.isExpiredAt(now);
    if (contact.pending().isEmpty()) {
      boolean isRepeated = contact.verified().isPresent() && isRight && isOpen;
      return isRepeated ? REPEATED : NOTHING_TO_VERIFY;
    }
    if (challenge.isSpent()) {
      return SPENT;
    }
    if (challenge.isExpiredAt(now)) {
      return EXPIRED;
    }
    return isRight ? VERIFIED : WRONG;
  }
}
