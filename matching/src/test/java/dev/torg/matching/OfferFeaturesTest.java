package dev.torg.matching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.matching.feature.Feature;
import java.math.BigDecimal;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OfferFeaturesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"de/hessen/65474", "/de/hessen/65474", "DE/Hessen/65474/", " /de/hessen/65474/ "})
  void region_path_hasAllRegionsAboveIt(String path) {
    assertThat(texts(OfferFeatures.builder().region(path).build().regions()))
        .containsExactly("de", "de/hessen", "de/hessen/65474");
  }

  @Test
  void flagAndValue_areFactsWhateverTheirCase() {
    OfferFeatures offer =
        OfferFeatures.builder()
            .flag("damaged", true)
            .flag("new", false)
            .value("brand", " BMW ")
            .photos(false)
            .build();

    assertThat(texts(offer.facts())).containsExactly("damaged=true", "new=false", "brand=bmw");
  }

  @Test
  void number_severalOfOneField_areKeptTogether() {
    OfferFeatures offer =
        OfferFeatures.builder()
            .number("size", new BigDecimal("2.50"))
            .number("size", 3)
            .number("year", 2018)
            .price(900, "eur")
            .build();

    assertThat(offer.fields())
        .extracting(OfferFeatures.Field::name)
        .containsExactly("price:EUR", "size", "year");
    assertThat(offer.fields()[0].values()).containsExactly(900);
    assertThat(offer.fields()[1].values()).containsExactly(2_500_000, 3_000_000);
    assertThat(texts(offer.facts())).contains("size=2.5", "size=3", "year=2018");
  }

  /// Millionths, rounded half to even, and limited to what a range with an open end still contains.
  @ParameterizedTest
  @CsvSource({
    "1.5, 1500000",
    "0.0000005, 0",
    "0.0000015, 2",
    "-0.0000015, -2",
    "9223372036854.775806, 9223372036854775806",
    "9223372036854.775807, 9223372036854775806",
    "1e30, 9223372036854775806",
    "-1e30, -9223372036854775806",
  })
  void micros_anyNumber_isRoundedAndLimited(BigDecimal number, long expected) {
    assertThat(Decimals.micros(number)).isEqualTo(expected);
  }

  private static Stream<String> texts(Feature[] features) {
    return Stream.of(features).map(Feature::text);
  }
}
