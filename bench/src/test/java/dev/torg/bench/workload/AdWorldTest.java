package dev.torg.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdWorldTest {
  @Test
  void draw_sameSeed_returnsTheSame() {
    AdWorld first = new AdWorld(5, 100_000);
    AdWorld other = new AdWorld(5, 100_000);

    for (int i = 0; i < 50; i++) {
      assertThat(first.offer()).isEqualTo(other.offer());
      assertThat(first.search(Mix.NARROW)).isEqualTo(other.search(Mix.NARROW));
    }
  }

  @Test
  void offer_text_hasThirtyToTwoHundredWords() {
    AdWorld world = new AdWorld(6, 100_000);

    for (int i = 0; i < 200; i++) {
      SampleOffer offer = world.offer();
      assertThat((offer.title() + " " + offer.description()).split(" ")).hasSizeBetween(30, 200);
    }
  }

  @Test
  void longOffer_text_isAboutAHundredKilobytes() {
    int bytes =
        new AdWorld(7, 100_000)
            .longOffer()
            .description()
            .getBytes(java.nio.charset.StandardCharsets.UTF_8)
            .length;

    assertThat(bytes).isBetween(80_000, 110_000);
  }
}
