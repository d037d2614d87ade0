package dev.torg.alerts.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.News;
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

class StormCheckTest {
  private static final String SELLER = "user:seller";
  private static final OfferId OFFER = OfferId.random(Home.of(SELLER));
  private static final News NEWS =
      News.ofStorm(OFFER, SELLER, Instant.EPOCH, Instant.EPOCH, "A car");

  private static StormCheck check(StormStore.Known known, int... notified) {
    BitSet bits = new BitSet();
    IntStream.of(notified).forEach(bits::set);
    StormNotifiedStore.Key key = new StormNotifiedStore.Key("user:reader", SELLER, 0);
    return StormCheck.of(
        NEWS,
        notified.length == 0 ? List.of() : List.of(new StormNotifiedStore.Block(key, bits)),
        known);
  }

  private static StormStore.Known known(int position, int last) {
    return new StormStore.Known(
        position == 0 ? Map.of() : Map.of(OFFER, position), Map.of(SELLER, last));
  }

  @Test
  void of_allCases() {
    assertThat(check(StormStore.Known.NONE)).isEqualTo(StormCheck.NEW);
    assertThat(check(known(7, 9))).isEqualTo(StormCheck.NEW);
    assertThat(check(known(7, 9), 1, 6, 8)).isEqualTo(StormCheck.NEW);
    assertThat(check(known(7, 9), 1, 7)).isEqualTo(StormCheck.NOTIFIED);
    // A position once known never changes, however far the reader has come since.
    assertThat(check(known(7, 9), 1, 12)).isEqualTo(StormCheck.NEW);
    assertThat(check(known(0, 9), 1, 9)).isEqualTo(StormCheck.NEW);
    assertThat(check(known(0, 9), 1, 10)).isEqualTo(StormCheck.UNSURE);
    assertThat(check(StormStore.Known.NONE, 1)).isEqualTo(StormCheck.UNSURE);
  }

  @Test
  void key_offerWithPosition_asksForItsBlock() {
    Alert alert = new Alert("user:reader", NEWS, Set.of());
    int beyond = 2 * StormNotifiedStore.BLOCK + 5;
    assertThat(StormCheck.key(alert, known(beyond, beyond)).block()).isEqualTo(2);
    assertThat(StormCheck.key(alert, known(0, beyond)).block())
        .isEqualTo(StormNotifiedStore.HIGHEST);
  }
}
