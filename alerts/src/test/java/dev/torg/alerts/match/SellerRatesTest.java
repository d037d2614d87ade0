package dev.torg.alerts.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.testkit.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SellerRatesTest {
  private final TestClock clock = new TestClock();
  private final SellerRates rates = new SellerRates(clock);

  private void count(String seller, int offers) {
    for (int i = 0; i < offers; i++) {
      rates.count(seller);
    }
  }

  @Test
  void isStorm_moreThanTwentyInAMinute_isOfThatSellerOnly() {
    count("a", 20);
    count("b", 21);
    assertThat(rates.isStorm("a")).isFalse();
    assertThat(rates.isStorm("b")).isTrue();
  }

  @Test
  void isStorm_slowFeed_isSeenAcrossWindows() {
    count("a", 15);
    clock.advance(Duration.ofSeconds(70));
    count("a", 6);
    assertThat(rates.isStorm("a")).isTrue();
  }

  @Test
  void isStorm_quietForTwoMinutes_isFalse() {
    count("a", 100);
    clock.advance(Duration.ofSeconds(70));
    assertThat(rates.isStorm("a")).isTrue();
    clock.advance(Duration.ofSeconds(130));
    assertThat(rates.isStorm("a")).isFalse();
  }
}
