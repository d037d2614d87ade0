package dev.torg.alerts.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.storm.StormStore;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StormNotifiedCheckTest {
  private static final String SELLER = "user:seller";
  private static final OfferId OFFER = OfferId.random(Home.of(SELLER));
  private static final AlertContent NEWS =
      AlertContent.ofStorm(OFFER, SELLER, Instant.EPOCH, Instant.EPOCH, "A car");

  private static StormNotifiedCheck check(StormStore.NumberedOffers numbered, int... notified) {
    BitSet bits = new BitSet();
    IntStream.of(notified).forEach(bits::set);
    StormNotifiedStore.Key key = new StormNotifiedStore.Key("user:reader", SELLER, 0);
    return StormNotifiedCheck.of(
        NEWS,
        notified.length == 0 ? List.of() : List.of(new StormNotifiedStore.Block(key, bits)),
        numbered);
  }

  private static StormStore.NumberedOffers known(int position, int last) {
    return new StormStore.NumberedOffers(
        position == 0 ? Map.of() : Map.of(OFFER, position), Map.of(SELLER, last));
  }

  @Test
  void of_allCases() {
    assertThat(check(StormStore.NumberedOffers.NONE)).isEqualTo(StormNotifiedCheck.NEW);
    assertThat(check(known(7, 9))).isEqualTo(StormNotifiedCheck.NEW);
    assertThat(check(known(7, 9), 1, 6, 8)).isEqualTo(StormNotifiedCheck.NEW);
    assertThat(check(known(7, 9), 1, 7)).isEqualTo(StormNotifiedCheck.NOTIFIED);
    // A position once known never changes, however far the reader has come since.
    assertThat(check(known(7, 9), 1, 12)).isEqualTo(StormNotifiedCheck.NEW);
    assertThat(check(known(0, 9), 1, 9)).isEqualTo(StormNotifiedCheck.NEW);
    assertThat(check(known(0, 9), 1, 10)).isEqualTo(StormNotifiedCheck.UNSURE);
    assertThat(check(StormStore.NumberedOffers.NONE, 1)).isEqualTo(StormNotifiedCheck.UNSURE);
  }

  @Test
  void key_offerWithPosition_asksForItsBlock() {
    Alert alert = new Alert("user:reader", NEWS, Set.of());
    int beyond = 2 * StormNotifiedStore.BLOCK + 5;
    assertThat(StormNotifiedCheck.key(alert, known(beyond, beyond)).block()).isEqualTo(2);
    assertThat(StormNotifiedCheck.key(alert, known(0, beyond)).block())
        .isEqualTo(StormNotifiedStore.HIGHEST);
  }
}
