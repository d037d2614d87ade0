package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.OTHER_USER;
import static dev.torg.offers.lifecycle.OfferSituations.OWNER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DraftKeyTest {
  private static final UUID ID = UUID.fromString("0197a5f0-0000-7000-8000-000000000001");

  @Test
  void parse_id_isTheOwnersDraft() {
    assertThat(DraftKey.parse(OWNER.subject(), ID.toString()))
        .isEqualTo(new DraftKey(OWNER.subject(), ID));
  }

  @Test
  void parse_malformedId_isNotFound() {
    assertThatThrownBy(() -> DraftKey.parse(OWNER.subject(), "no id"))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo("draft.not-found"));
  }

  @Test
  void home_sameIdOfTwoOwners_isTheHomeOfEach() {
    assertThat(new DraftKey(OWNER.subject(), ID).home()).isEqualTo(Home.of(OWNER.subject()));
    assertThat(new DraftKey(OTHER_USER.subject(), ID).home())
        .isEqualTo(Home.of(OTHER_USER.subject()));
  }
}
