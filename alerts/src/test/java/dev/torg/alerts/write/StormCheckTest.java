package dev.torg.alerts.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.alert.News;
import dev.torg.alerts.alert.Positions;
import dev.torg.alerts.storm.StormStore;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.BitSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StormCheckTest {
  private static final String SELLER = "user:seller";
  private static final OfferId OFFER = OfferId.random(Home.of(SELLER));
  private static final News NEWS =
      News.ofStorm(OFFER, SELLER, Instant.EPOCH, Instant.EPOCH, "A car");

  private static StormCheck check(StormStore.Known known, int... notified) {
    BitSet bits = Positions.of(notified).toBitSet();
    return StormCheck.of(NEWS, bits, known);
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
}
