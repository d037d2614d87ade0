package dev.torg.favorites.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Estimate;
import dev.torg.matching.Query;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchEstimatorTest {
  private static final Query QUERY = Query.builder().category("cars").build();

  private static Estimate of(int matched, boolean exact, OptionalDouble alertsPerDay) {
    return new SearchEstimator((_, _) -> new OfferCounter.Count(matched, exact), _ -> alertsPerDay)
        .of(QUERY);
  }

  @ParameterizedTest
  @CsvSource({
    "0, true, 0",
    "37, true, 37",
    "37, false, 37+",
    "1000, true, 1000",
    "1000, false, 1000+",
    "1001, true, 1000+",
    "1001, false, 1000+",
  })
  void offersNow_returnsTheKnownCounts(int matched, boolean exact, String expected) {
    assertThat(of(matched, exact, OptionalDouble.empty()).getOffersNow()).isEqualTo(expected);
  }

  @Test
  void alertsPerDay_isNeverInvented() {
    assertThat(of(1, true, OptionalDouble.empty()).hasAlertsPerDay()).isFalse();
    assertThat(of(1, true, OptionalDouble.of(2.5)).getAlertsPerDay()).isEqualTo(2.5);
  }
}
