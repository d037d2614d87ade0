package dev.torg.offers.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OfferAccessTest {
  private static final Caller OWNER = caller("owner", Role.USER);
  private static final Caller OTHER_USER = caller("stranger", Role.USER);

  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    true,  true",
    "EXPIRED,   true,  true",
    "SOLD,      true,  true",
    "PENDING,   false, true",
    "WITHDRAWN, false, true",
    "BANNED,    false, true",
    "REMOVED,   false, false",
  })
  void canView_byStatusOfAnOldOffer(Status status, boolean everybody, boolean owner) {
    Offer offer = offer(status, NOW.minus(OfferAccess.REMOVED_VISIBLE));
    assertThat(OfferAccess.canView(Optional.empty(), offer, NOW)).isEqualTo(everybody);
    assertThat(OfferAccess.canView(Optional.of(OTHER_USER), offer, NOW)).isEqualTo(everybody);
    assertThat(OfferAccess.canView(Optional.of(OWNER), offer, NOW)).isEqualTo(owner);
    for (Role role : Set.of(Role.MODERATOR, Role.SERVICE, Role.ADMIN)) {
      assertThat(OfferAccess.canView(Optional.of(caller("staff", role)), offer, NOW)).isTrue();
    }
  }

  @Test
  void canView_removedOffer_itsOwnerFor30Days() {
    Offer recent = offer(Status.REMOVED, NOW.minus(DAY.multipliedBy(30)).plusMillis(1));
    assertThat(OfferAccess.canView(Optional.of(OWNER), recent, NOW)).isTrue();
    assertThat(OfferAccess.canView(Optional.of(OTHER_USER), recent, NOW)).isFalse();
    assertThat(OfferAccess.canView(Optional.of(OWNER), recent, NOW.plusMillis(1))).isFalse();
  }

  @Test
  void visible_severalOffers_keepsVisibleOnesInOrder() {
    Map<String, Offer> offers = new LinkedHashMap<>();
    List.of(Status.SOLD, Status.PENDING, Status.ACTIVE, Status.BANNED)
        .forEach(status -> offers.put(status.name(), offer(status, NOW)));

    assertThat(OfferAccess.visible(Optional.of(OTHER_USER), offers, NOW).keySet())
        .containsExactly("SOLD", "ACTIVE");
    assertThat(OfferAccess.visible(Optional.of(OWNER), offers, NOW))
        .containsExactlyEntriesOf(offers);
  }

  @Test
  void requireVisible_hiddenOrMissingOffer_isNotFound() {
    Optional<Offer> pending = Optional.of(offer(Status.PENDING, NOW));

    assertThat(OfferAccess.requireVisible(Optional.of(OWNER), pending, NOW))
        .isEqualTo(pending.get());
    for (Optional<Offer> offer : List.of(pending, Optional.<Offer>empty())) {
      assertThat(code(() -> OfferAccess.requireVisible(Optional.of(OTHER_USER), offer, NOW)))
          .isEqualTo("offer.not-found");
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
  void requireOwner_otherCaller_isForbiddenOrNotFound(Role role, Status status, String code) {
    assertThat(code(() -> OfferAccess.requireOwner(caller("other", role), offer(status, NOW), NOW)))
        .isEqualTo(code);
  }

  @Test
  void requireOwner_owner_passes() {
    for (Status status : Set.of(Status.ACTIVE, Status.REMOVED)) {
      assertThat(code(() -> OfferAccess.requireOwner(OWNER, offer(status, NOW), NOW))).isEmpty();
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

  private static Offer offer(Status status, Instant updatedAt) {
    return Offer.newBuilder()
        .setSellerId(OWNER.subject())
        .setStatus(status)
        .setUpdatedAt(EpochMicros.timestamp(EpochMicros.of(updatedAt)))
        .build();
  }
}
