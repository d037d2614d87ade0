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
  private static final AlertContent CONTENT =
      AlertContent.ofStorm(OFFER, SELLER, Instant.EPOCH, Instant.EPOCH, "A car");

  private static StormNotifiedCheck check(StormStore.NumberedOffers numbered, int... notified) {
    return StormNotifiedCheck.of(
        CONTENT, notified.length == 0 ? List.of() : List.of(block(0, notified)), numbered);
  }

  private static StormNotifiedStore.Block block(int number, int... relativePositions) {
    BitSet bits = new BitSet();
    IntStream.of(relativePositions).forEach(bits::set);
    return new StormNotifiedStore.Block(
        new StormNotifiedStore.Key("user:reader", SELLER, number), bits);
  }

  private static StormStore.NumberedOffers numbered(int position, int last) {
    return new StormStore.NumberedOffers(
        position == 0 ? Map.of() : Map.of(OFFER, position), Map.of(SELLER, last));
  }

  @Test
  void of_allCases() {
    assertThat(check(StormStore.NumberedOffers.NONE)).isEqualTo(StormNotifiedCheck.NEW);
    assertThat(check(numbered(7, 9))).isEqualTo(StormNotifiedCheck.NEW);
    assertThat(check(numbered(7, 9), 1, 6, 8)).isEqualTo(StormNotifiedCheck.NEW);
    assertThat(check(numbered(7, 9), 1, 7)).isEqualTo(StormNotifiedCheck.NOTIFIED);
    // A known position never changes, whatever the recipient was notified of since.
    assertThat(check(numbered(7, 9), 1, 12)).isEqualTo(StormNotifiedCheck.NEW);
    assertThat(check(numbered(0, 9), 1, 9)).isEqualTo(StormNotifiedCheck.NEW);
    assertThat(check(numbered(0, 9), 1, 10)).isEqualTo(StormNotifiedCheck.UNSURE);
    assertThat(check(StormStore.NumberedOffers.NONE, 1)).isEqualTo(StormNotifiedCheck.UNSURE);
  }

  @Test
  void of_severalBlocks_countsTheBlockOfThePosition() {
    StormNotifiedStore.Block first = block(0, 7);
    StormNotifiedStore.Block second = block(1, 0);
    int inSecond = StormNotifiedStore.BLOCK;

    assertThat(StormNotifiedCheck.of(CONTENT, List.of(second), numbered(7, 9)))
        .isEqualTo(StormNotifiedCheck.NEW);
    assertThat(StormNotifiedCheck.of(CONTENT, List.of(first), numbered(inSecond, inSecond)))
        .isEqualTo(StormNotifiedCheck.NEW);
    assertThat(StormNotifiedCheck.of(CONTENT, List.of(first, second), numbered(inSecond, inSecond)))
        .isEqualTo(StormNotifiedCheck.NOTIFIED);
    assertThat(StormNotifiedCheck.of(CONTENT, List.of(second), numbered(0, inSecond)))
        .isEqualTo(StormNotifiedCheck.NEW);
    assertThat(StormNotifiedCheck.of(CONTENT, List.of(second), numbered(0, inSecond - 1)))
        .isEqualTo(StormNotifiedCheck.UNSURE);
  }

  @Test
  void key_offerWithPosition_isItsBlock() {
    Alert alert = new Alert("user:reader", CONTENT, Set.of());
    int nextBlock = 2 * StormNotifiedStore.BLOCK + 5;
    assertThat(StormNotifiedCheck.key(alert, numbered(nextBlock, nextBlock)).block()).isEqualTo(2);
    assertThat(StormNotifiedCheck.key(alert, numbered(0, nextBlock)).block())
        .isEqualTo(StormNotifiedStore.HIGHEST);
  }
}
