package dev.torg.offers.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Failure;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusTransitionsTest {
  private static final Set<String> LEGAL =
      new TreeSet<>(
          Set.of(
              "ACTIVE>PENDING",
              "ACTIVE>WITHDRAWN",
              "ACTIVE>SOLD",
              "ACTIVE>EXPIRED",
              "ACTIVE>BANNED",
              "ACTIVE>REMOVED",
              "WITHDRAWN>ACTIVE",
              "WITHDRAWN>BANNED",
              "WITHDRAWN>REMOVED",
              "EXPIRED>ACTIVE",
              "EXPIRED>PENDING",
              "EXPIRED>BANNED",
              "EXPIRED>REMOVED",
              "PENDING>ACTIVE",
              "PENDING>EXPIRED",
              "PENDING>BANNED",
              "PENDING>REMOVED",
              "BANNED>REMOVED",
              "SOLD>BANNED",
              "SOLD>REMOVED"));

  @Test
  void may_everyPair_isLegalOnlyAsWrittenDown() {
    Set<String> allowed = new TreeSet<>();
    Set<Status> all = EnumSet.allOf(Status.class);
    for (Status from : all) {
      for (Status to : all) {
        if (StatusTransitions.isAllowed(from, to)) {
          allowed.add(from + ">" + to);
        }
      }
    }
    assertThat(allowed).isEqualTo(LEGAL);
  }

  @Test
  void may_banned_everyStatusThatIsPublic() {
    for (Status status : Status.values()) {
      if (StatusTransitions.isPublic(status)) {
        assertThat(StatusTransitions.isAllowed(status, Status.BANNED)).as(status.name()).isTrue();
      }
    }
  }

  @Test
  void unban_onlyToAStatusThatCanBeBanned() {
    for (Status former : EnumSet.complementOf(EnumSet.of(Status.UNRECOGNIZED))) {
      Offer.Builder offer = Offer.newBuilder().setStatus(Status.BANNED);
      if (StatusTransitions.isAllowed(former, Status.BANNED)) {
        StatusTransitions.unban(offer, former);
        assertThat(offer.getStatus()).isEqualTo(former);
      } else {
        assertThatThrownBy(() -> StatusTransitions.unban(offer, former))
            .as(former.name())
            .isNotNull();
      }
    }
  }

  @Test
  void transition_illegal_isConflictAndKeepsStatus() {
    Offer.Builder offer = Offer.newBuilder().setStatus(Status.SOLD);
    assertThatThrownBy(() -> StatusTransitions.transition(offer, Status.ACTIVE))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.code()).isEqualTo("offer.illegal-transition"))
        .hasMessageContaining("SOLD cannot become ACTIVE");
    assertThat(offer.getStatus()).isEqualTo(Status.SOLD);
  }

  @Test
  void restoreRemoved_onlyToActivePendingOrBanned() {
    Set<Status> targets = EnumSet.of(Status.ACTIVE, Status.PENDING, Status.BANNED);
    for (Status from : EnumSet.complementOf(EnumSet.of(Status.UNRECOGNIZED))) {
      for (Status to : EnumSet.complementOf(EnumSet.of(Status.UNRECOGNIZED))) {
        Offer.Builder offer = Offer.newBuilder().setStatus(from);
        if (from == Status.REMOVED && targets.contains(to)) {
          StatusTransitions.restoreRemoved(offer, to);
          assertThat(offer.getStatus()).isEqualTo(to);
        } else {
          assertThatThrownBy(() -> StatusTransitions.restoreRemoved(offer, to))
              .as(from + ">" + to)
              .isInstanceOf(IllegalArgumentException.class);
        }
      }
    }
  }

  @Test
  void unban_offerThatIsNotBanned_isRefused() {
    Offer.Builder offer = Offer.newBuilder().setStatus(Status.ACTIVE);
    assertThatThrownBy(() -> StatusTransitions.unban(offer, Status.WITHDRAWN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    true,  true",
    "PENDING,   true,  false",
    "WITHDRAWN, true,  false",
    "EXPIRED,   true,  true",
    "BANNED,    true,  false",
    "SOLD,      false, true",
    "REMOVED,   false, false",
  })
  void statuses_editableAndPublic(Status status, boolean editable, boolean isPublic) {
    assertThat(StatusTransitions.isPublic(status)).isEqualTo(isPublic);
    if (editable) {
      StatusTransitions.requireEditable(status);
    } else {
      assertThatThrownBy(() -> StatusTransitions.requireEditable(status))
          .isInstanceOfSatisfying(
              Failure.class, f -> assertThat(f.code()).isEqualTo("offer.not-editable"));
    }
  }
}
