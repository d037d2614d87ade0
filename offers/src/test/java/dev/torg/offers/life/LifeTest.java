package dev.torg.offers.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

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
}
