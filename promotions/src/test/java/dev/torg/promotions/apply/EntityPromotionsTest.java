package dev.torg.promotions.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.ServiceTerm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntityPromotionsTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final PromotedEntity ENTITY = PromotedEntity.of(OfferId.random(new Home(3)));
  private static final Duration DAY = Duration.ofDays(1);
  private static final ServiceTerm RAISE = new ServiceTerm("raise", DAY, false);
  private static final ServiceTerm HIGHLIGHT = new ServiceTerm("highlight", DAY, true);

  private final EntityPromotions promotions = promotions(Status.ACTIVE, 5);

  private static EntityPromotions promotions(Status status, long version) {
    return new EntityPromotions(
        PromotionTarget.of(ENTITY, new EntityState(status, version, "user:1")), List.of());
  }

  private static Activation activation(Status read, long version, ServiceTerm... terms) {
    return new Activation(
        ENTITY, new EntityState(read, version, "user:1"), List.of(terms), "payment");
  }

  private ActivationResult activate(Instant at, ServiceTerm... terms) {
    return promotions.activate(activation(Status.ACTIVE, 5, terms), at);
  }

  private Instant until(String service) {
    return Objects.requireNonNull(promotions.find(service)).until();
  }

  @Test
  void activation_setsTheTimes_andRaises() {
    assertThat(activate(NOW, RAISE)).isEqualTo(ActivationResult.ACTIVATED);
    assertThat(promotions.services())
        .containsExactly(new ActiveService("raise", NOW, NOW.plus(DAY), "payment"));
    assertThat(promotions.target().raisedAt()).contains(NOW);
    assertThat(promotions.isChanged()).isTrue();
  }

  @Test
  void bundle_withAnActivePart_activatesNothing() {
    assertThat(activate(NOW, RAISE)).isEqualTo(ActivationResult.ACTIVATED);
    ServiceTerm turbo = new ServiceTerm("turbo", DAY, false);
    assertThat(activate(NOW, turbo, RAISE, HIGHLIGHT)).isEqualTo(ActivationResult.ALREADY_ACTIVE);
    assertThat(promotions.services()).hasSize(1);
  }

  @Test
  void extendableService_isProlonged_fromItsEnd() {
    activate(NOW, HIGHLIGHT);
    assertThat(activate(NOW.plusSeconds(60), HIGHLIGHT)).isEqualTo(ActivationResult.ACTIVATED);
    assertThat(promotions.services())
        .containsExactly(new ActiveService("highlight", NOW, NOW.plus(DAY).plus(DAY), "payment"));
  }

  @Test
  void serviceThatHasEnded_isActivatedAnew_beforeTheJobHasRemovedIt() {
    activate(NOW, RAISE);
    Instant later = NOW.plus(DAY);
    assertThat(activate(later, RAISE)).isEqualTo(ActivationResult.ACTIVATED);
    assertThat(until("raise")).isEqualTo(later.plus(DAY));
  }

  @ParameterizedTest
  @CsvSource({
    "ACTIVE, ACTIVATED",
    "PENDING, ACTIVATED",
    "EXPIRED, ACTIVATED",
    "WITHDRAWN, ACTIVATED",
    "SOLD, SOLD",
    "BANNED, BANNED",
    "REMOVED, GONE"
  })
  void status_decides(Status status, ActivationResult expected) {
    assertThat(promotions(Status.ACTIVE, 5).activate(activation(status, 6, RAISE), NOW))
        .isEqualTo(expected);
  }

  @Test
  void newerRecordedStatus_overridesTheOneThatWasRead_andAnOlderOneDoesNot() {
    assertThat(promotions(Status.BANNED, 7).activate(activation(Status.ACTIVE, 6, RAISE), NOW))
        .isEqualTo(ActivationResult.BANNED);
    assertThat(promotions(Status.BANNED, 7).activate(activation(Status.ACTIVE, 8, RAISE), NOW))
        .isEqualTo(ActivationResult.ACTIVATED);
  }

  @Test
  void offerThatDoesNotExist_isGone() {
    assertThat(
            promotions.activate(
                new Activation(ENTITY, EntityState.GONE, List.of(RAISE), "payment"), NOW))
        .isEqualTo(ActivationResult.GONE);
  }

  @Test
  void report_ofABan_endsEverything_andOfAWithdrawalNothing() {
    activate(NOW, RAISE, HIGHLIGHT);
    assertThat(promotions.report(new EntityState(Status.WITHDRAWN, 6, "user:1"))).isTrue();
    assertThat(promotions.services()).hasSize(2);
    assertThat(promotions.report(new EntityState(Status.BANNED, 7, "user:1"))).isTrue();
    assertThat(promotions.services()).isEmpty();
    assertThat(promotions.removed()).containsExactlyInAnyOrder("raise", "highlight");
  }

  @Test
  void report_ofAnOlderVersion_orTheSameStatus_changesNothing() {
    activate(NOW, RAISE);
    assertThat(promotions.report(new EntityState(Status.BANNED, 5, "user:1"))).isFalse();
    assertThat(promotions.report(new EntityState(Status.ACTIVE, 9, "user:1"))).isFalse();
    assertThat(promotions.services()).hasSize(1);
  }

  @Test
  void takeBack_ofTheOnlyPurchase_ends_andOfOneOfTwoShortens() {
    activate(NOW, RAISE, HIGHLIGHT);
    Instant second = NOW.plusSeconds(60);
    activate(second, HIGHLIGHT);
    promotions.takeBack(RAISE, NOW, second);
    promotions.takeBack(HIGHLIGHT, second, second);
    assertThat(promotions.services())
        .containsExactly(new ActiveService("highlight", NOW, NOW.plus(DAY), "payment"));
  }

  @Test
  void takeBack_ofAPurchaseThatExpired_doesNotShortenALaterOne() {
    activate(NOW, RAISE);
    Instant later = NOW.plus(DAY);
    activate(later, RAISE);
    promotions.takeBack(RAISE, NOW, later.plusSeconds(1));
    assertThat(until("raise")).isEqualTo(later.plus(DAY));
  }

  @Test
  void expire_endsOnlyWhatIsOver() {
    activate(NOW, RAISE, HIGHLIGHT);
    activate(NOW, HIGHLIGHT);
    promotions.expire(NOW.plus(DAY));
    assertThat(promotions.services())
        .extracting(ActiveService::service)
        .containsExactly("highlight");
  }
}
