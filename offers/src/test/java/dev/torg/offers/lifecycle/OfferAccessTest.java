package dev.torg.offers.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OfferAccessTest {
  private static final Caller OWNER = caller("owner", Role.USER);
  private static final Caller STRANGER = caller("stranger", Role.USER);

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    true",
    "EXPIRED,   true",
    "SOLD,      true",
    "PENDING,   false",
    "WITHDRAWN, false",
    "BANNED,    false",
    "REMOVED,   false",
  })
  void maySee_everybodySeesPublicOffers_ownerAndStaffAll(Status status, boolean everybody) {
    Offer offer = offer(status);
    assertThat(OfferAccess.canView(Optional.empty(), offer)).isEqualTo(everybody);
    assertThat(OfferAccess.canView(Optional.of(STRANGER), offer)).isEqualTo(everybody);
    assertThat(OfferAccess.canView(Optional.of(OWNER), offer)).isTrue();
    for (Role role : Set.of(Role.MODERATOR, Role.SERVICE, Role.ADMIN)) {
      assertThat(OfferAccess.canView(Optional.of(caller("staff", role)), offer)).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "USER,      ACTIVE,  offer.not-yours",
    "USER,      PENDING, offer.not-found",
    "ANONYMOUS, ACTIVE,  offer.not-yours",
    "ANONYMOUS, BANNED,  offer.not-found",
    "MODERATOR, PENDING, offer.not-yours",
    "ADMIN,     REMOVED, offer.not-yours",
  })
  void requireOwner_others_areRefusedByWhatTheyMaySee(Role role, Status status, String code) {
    assertThat(code(() -> OfferAccess.requireOwner(caller("other", role), offer(status))))
        .isEqualTo(code);
  }

  @Test
  void requireOwner_owner_passes() {
    for (Status status : Set.of(Status.ACTIVE, Status.REMOVED)) {
      assertThat(code(() -> OfferAccess.requireOwner(OWNER, offer(status)))).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "owner, USER,      ''",
    "other, USER,      seller.not-you",
    "other, ANONYMOUS, seller.not-you",
    "other, MODERATOR, ''",
    "other, SERVICE,   ''",
    "other, ADMIN,     ''",
  })
  void requireInsight_isForTheSellerAndStaff(String name, Role role, String code) {
    assertThat(code(() -> OfferAccess.requireSellerOrStaff(caller(name, role), OWNER.subject())))
        .isEqualTo(code);
  }

  private static String code(Runnable check) {
    try {
      check.run();
      return "";
    } catch (Failure failure) {
      return failure.code();
    }
  }

  private static Caller caller(String name, Role role) {
    return new Caller("user:" + name, Set.of(role));
  }

  private static Offer offer(Status status) {
    return Offer.newBuilder().setSellerId(OWNER.subject()).setStatus(status).build();
  }
}
