package dev.torg.notifications.contacts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.contacts.StoredContact.Address;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodeDecisionTest {
  private static final Instant EXPIRES = Instant.parse("2026-05-04T10:15:00Z");
  private static final Address ADDRESS = new Address("bob@example.com", "");

  @ParameterizedTest
  @CsvSource({
    // pending, verified, wrong codes, right, seconds before the end, decision
    "true,  false, 0, true,   1,  VERIFIED",
    "true,  true,  4, true,   1,  VERIFIED",
    "true,  false, 0, false,  1,  WRONG",
    "true,  false, 4, false,  1,  WRONG",
    "true,  false, 5, true,   1,  SPENT",
    "true,  false, 5, true,  -1,  SPENT",
    "true,  false, 0, true,   0,  EXPIRED",
    "true,  false, 0, false, -1,  EXPIRED",
    "false, true,  0, true,   1,  REPEATED",
    "false, true,  0, false,  1,  NOTHING_TO_VERIFY",
    "false, true,  0, true,   0,  NOTHING_TO_VERIFY",
    "false, true,  5, true,   1,  NOTHING_TO_VERIFY",
    "false, false, 0, true,   1,  NOTHING_TO_VERIFY"
  })
  void of_codeAndState_decides(
      boolean isPending,
      boolean isVerified,
      int wrongCodes,
      boolean isRight,
      int secondsLeft,
      CodeDecision expected) {
    StoredContact contact =
        new StoredContact(
            "user:1",
            ContactKind.EMAIL,
            isVerified ? Optional.of(ADDRESS) : Optional.empty(),
            isPending ? Optional.of(ADDRESS) : Optional.empty(),
            new CodeChallenge(1, "hash", EXPIRES, wrongCodes));
    assertThat(CodeDecision.of(contact, isRight, EXPIRES.minusSeconds(secondsLeft)))
        .isEqualTo(expected);
  }

  @Test
  void merged_bothSides_keepsTheLoginsAddresses() {
    Address other = new Address("anna@example.com", "");
    CodeChallenge ofLogin = new CodeChallenge(1, "login", EXPIRES, 0);
    CodeChallenge ofAnonymous = new CodeChallenge(2, "anonymous", EXPIRES, 3);
    StoredContact none = StoredContact.none("user:1", ContactKind.EMAIL);
    StoredContact anonymous =
        new StoredContact(
            "anon:1", ContactKind.EMAIL, Optional.of(other), Optional.of(other), ofAnonymous);
    StoredContact verified = none.withPending(ADDRESS, ofLogin).verifyPending();
    assertThat(StoredContact.merged(none, anonymous))
        .isEqualTo(
            new StoredContact(
                "user:1", ContactKind.EMAIL, Optional.of(other), Optional.of(other), ofAnonymous));
    assertThat(StoredContact.merged(verified, anonymous))
        .isEqualTo(verified.withPending(other, ofAnonymous));
    assertThat(StoredContact.merged(none.withPending(ADDRESS, ofLogin), anonymous))
        .isEqualTo(
            new StoredContact(
                "user:1", ContactKind.EMAIL, Optional.of(other), Optional.of(ADDRESS), ofLogin));
  }
}
