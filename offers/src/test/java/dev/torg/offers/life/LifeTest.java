package dev.torg.offers.life;

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

class LifeTest {
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
    Set<String> found = new TreeSet<>();
    Set<Status> all = EnumSet.allOf(Status.class);
    for (Status from : all) {
      for (Status to : all) {
        if (Life.may(from, to)) {
          found.add(from + ">" + to);
        }
      }
    }
    assertThat(found).isEqualTo(LEGAL);
  }

  @Test
  void may_banned_everyStatusThatIsPublic() {
    for (Status status : Status.values()) {
      if (Life.isPublic(status)) {
        assertThat(Life.may(status, Status.BANNED)).as(status.name()).isTrue();
      }
    }
  }

  @Test
  void unban_onlyToAStatusThatCanBeBanned() {
    for (Status former : EnumSet.complementOf(EnumSet.of(Status.UNRECOGNIZED))) {
      Offer.Builder offer = Offer.newBuilder().setStatus(Status.BANNED);
      if (Life.may(former, Status.BANNED)) {
        Life.unban(offer, former);
        assertThat(offer.getStatus()).isEqualTo(former);
      } else {
        assertThatThrownBy(() -> Life.unban(offer, former)).as(former.name()).isNotNull();
      }
    }
  }

  @Test
  void move_illegal_isAConflictAndLeavesTheStatus() {
    Offer.Builder offer = Offer.newBuilder().setStatus(Status.SOLD);
    assertThatThrownBy(() -> Life.move(offer, Status.ACTIVE))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.code()).isEqualTo("offer.illegal-transition"))
        .hasMessageContaining("SOLD cannot become ACTIVE");
    assertThat(offer.getStatus()).isEqualTo(Status.SOLD);
  }

  @Test
  void revive_onlyRemovedToActivePendingOrBanned() {
    Set<Status> targets = EnumSet.of(Status.ACTIVE, Status.PENDING, Status.BANNED);
    for (Status from : EnumSet.complementOf(EnumSet.of(Status.UNRECOGNIZED))) {
      for (Status to : EnumSet.complementOf(EnumSet.of(Status.UNRECOGNIZED))) {
        Offer.Builder offer = Offer.newBuilder().setStatus(from);
        if (from == Status.REMOVED && targets.contains(to)) {
          Life.revive(offer, to);
          assertThat(offer.getStatus()).isEqualTo(to);
        } else {
          assertThatThrownBy(() -> Life.revive(offer, to))
              .as(from + ">" + to)
              .isInstanceOf(IllegalArgumentException.class);
        }
      }
    }
  }

  @Test
  void unban_offerThatIsNotBanned_isRefused() {
    Offer.Builder offer = Offer.newBuilder().setStatus(Status.ACTIVE);
    assertThatThrownBy(() -> Life.unban(offer, Status.WITHDRAWN))
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
    assertThat(Life.isPublic(status)).isEqualTo(isPublic);
    if (editable) {
      Life.requireEditable(status);
    } else {
      assertThatThrownBy(() -> Life.requireEditable(status))
          .isInstanceOfSatisfying(
              Failure.class, f -> assertThat(f.code()).isEqualTo("offer.not-editable"));
    }
  }
}
