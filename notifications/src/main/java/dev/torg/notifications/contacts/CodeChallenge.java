package dev.torg.notifications.contacts;

import java.time.Duration;
import java.time.Instant;

/// What is known of the code that was sent to an address. The code itself is not stored.
///
/// @param version random, of the request that set the address
/// @param codeHash authenticates the code; empty for a webhook, which has no code
/// @param expiresAt from this time on the code is not accepted
/// @param wrongCodes how often a wrong code was given
record CodeChallenge(long version, String codeHash, Instant expiresAt, int wrongCodes) {
  static final CodeChallenge NONE = new CodeChallenge(0, "", Instant.EPOCH, 0);
  static final Duration LIFETIME = Duration.ofMinutes(15);

  /// Six digits can be guessed: after so many wrong codes a new one is needed.
  static final int MAX_WRONG_CODES = 5;

  CodeChallenge withWrongCode() {
    return new CodeChallenge(version, codeHash, expiresAt, wrongCodes + 1);
  }

  boolean isSpent() {
    return wrongCodes >= MAX_WRONG_CODES;
  }

  boolean isExpiredAt(Instant time) {
    return !time.isBefore(expiresAt);
  }
}
