package dev.torg.alerts.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertStormDetectorTest {
  private static final AlertReason SELLER = AlertReason.seller("user:seller");
  private static final AlertReason SEARCH = AlertReason.search("q");

  private final AlertStormDetector stormDetector = new AlertStormDetector();

  private static Alert alert(AlertReason... reasons) {
    AlertContent content =
        AlertContent.ofStorm(
            OfferId.random(new Home(1)), "user:seller", Instant.EPOCH, Instant.EPOCH, "A car");
    return new Alert("user:reader", content, Set.of(reasons));
  }

  private void add(AlertReason reason, int offers) {
    for (int i = 0; i < offers; i++) {
      stormDetector.count(reason, OfferId.random(new Home(1)));
    }
  }

  private boolean isStorm(Alert alert) {
    return stormDetector.isStorm(alert);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, false", "20, false", "21, true", "500, true"})
  void isStorm_moreThanTwentyOffersOfAReason_isAStorm(int offers, boolean storm) {
    add(SELLER, offers);
    assertThat(isStorm(alert(SELLER))).isEqualTo(storm);
  }

  @Test
  void add_sameOfferRepeatedly_countsOnce() {
    OfferId offer = OfferId.random(new Home(1));
    for (int i = 0; i < 100; i++) {
      stormDetector.count(SELLER, offer);
    }
    assertThat(isStorm(alert(SELLER))).isFalse();
  }

  @Test
  void isStorm_reasonsAreCountedSeparately() {
    add(SELLER, 15);
    add(SEARCH, 15);
    assertThat(isStorm(alert(SELLER, SEARCH))).isFalse();
    add(SEARCH, 6);
    assertThat(isStorm(alert(SELLER))).isFalse();
    assertThat(isStorm(alert(SELLER, SEARCH))).isTrue();
  }
}
