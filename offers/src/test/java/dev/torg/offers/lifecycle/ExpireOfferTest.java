package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.change;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpireOfferTest {
  private static final ExpireOffer EXPIRE = new ExpireOffer(ID, NOW);

  /// Expired at the end of the term, in microseconds from now, and only while active.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    -1, EXPIRED",
    "ACTIVE,    0,  EXPIRED",
    "ACTIVE,    1,  unchanged",
    "PENDING,   -1, unchanged",
    "WITHDRAWN, -1, unchanged",
    "EXPIRED,   -1, unchanged",
    "BANNED,    -1, unchanged",
    "SOLD,      -1, unchanged",
    "REMOVED,   -1, unchanged",
  })
  void decide_byStatusAndEnd(Status status, long micros, String expected) {
    assertThat(outcome(EXPIRE, offer(status).expires(NOW + micros).situation()))
        .isEqualTo(expected);
  }

  @Test
  void decide_due_changesTheStatusAlone() {
    OfferSituations due = offer(Status.ACTIVE).expires(NOW);
    Decision.Change change = change(EXPIRE, due.situation());
    assertThat(change.after().build())
        .isEqualTo(due.shown().toBuilder().setStatus(Status.EXPIRED).build());
    assertThat(change.effects()).isEmpty();
  }

  @Test
  void decide_noSuchOffer_isNotFound() {
    assertThat(outcome(EXPIRE, OfferSituations.none())).isEqualTo("offer.not-found");
  }
}
