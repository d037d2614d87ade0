package dev.torg.offers.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer.Status;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LifeTest {
  private static final Set<String> LEGAL =
      new TreeSet<>(
          Set.of(
              "ACTIVE>WITHDRAWN",
              "ACTIVE>SOLD",
              "ACTIVE>EXPIRED",
              "ACTIVE>BANNED",
              "ACTIVE>REMOVED",
              "WITHDRAWN>ACTIVE",
              "WITHDRAWN>REMOVED",
              "EXPIRED>ACTIVE",
              "EXPIRED>REMOVED",
              "PENDING>ACTIVE",
              "PENDING>BANNED",
              "PENDING>REMOVED",
              "BANNED>ACTIVE",
              "BANNED>PENDING",
              "BANNED>REMOVED",
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
}
