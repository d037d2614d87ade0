package dev.torg.promotions.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceMatrixFileTest {
  private static final Categories CATEGORIES = CategoryFile.defaultTree();

  private static final String VALID =
      """
      currency: EUR
      services:
        raise: {duration: PT24H, extendable: true}
        premium: {duration: P7D}
        turbo: {duration: P7D, includes: [raise, premium]}
      prices:
        - amounts: {EUR: {raise: 1, premium: 2, turbo: 3}}
        - category: cars
          region: de
          amounts: {EUR: {raise: 10}}
      """;

  @Test
  void parse_valid_definesServices() {
    ServiceCatalog services = PriceMatrixFile.parse("test", VALID, CATEGORIES).services();
    assertThat(services.find("raise"))
        .contains(new ServiceDefinition("raise", Duration.ofHours(24), true, List.of()));
    assertThat(services.find("turbo"))
        .contains(
            new ServiceDefinition("turbo", Duration.ofDays(7), false, List.of("raise", "premium")));
  }

  /// One replacement in the valid file, and the error.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "currency: EUR              | currency: EURO             | currency: must be the ISO 4217",
        "currency: EUR              | currency: XTS              | currency: must be the ISO 4217",
        "currency: EUR              | currency: USD              | the price of raise in USD",
        "currency: EUR              | curency: EUR               | curency: is not known here",
        "raise: {duration: PT24H    | raise: {duration: 24       | services.raise.duration: must be",
        "raise: {duration: PT24H    | raise: {duration: PT1S     | services.raise.duration: must be",
        "raise: {duration: PT24H    | raise: {duration: P367D    | services.raise.duration: must be",
        "raise: {duration: PT24H    | raise: {duration: PT60.5S  | services.raise.duration: must be",
        "premium: {duration: P7D}   | premium: {}                | services.premium.duration: is missing",
        "premium: {duration: P7D}   | Premium: {duration: P7D}   | services.Premium: must be lower-case",
        "premium: {duration: P7D}   | premium: 7                 | services.premium: must be a mapping",
        "extendable: true           | extendable: maybe          | must be true or false",
        "extendable: true           | renewable: true            | services.raise.renewable: is not known",
        "includes: [raise, premium] | includes: [raise, top]     | includes: there is no service top",
        "includes: [raise, premium] | includes: [raise, raise]   | includes: names a service twice",
        "includes: [raise, premium] | includes: [turbo]          | includes: turbo is a bundle itself",
        "includes: [raise, premium] | includes: raise            | includes: must be a list of texts",
        "category: cars             | category: boats            | prices[1].category: there is no category boats",
        "category: cars             | category: 7                | prices[1].category: must be text",
        "region: de                 | region: DE                 | prices[1].region: must be a path",
        "region: de                 | regions: de                | prices[1].regions: is not known here",
        "{raise: 10}                | {top: 10}                  | prices[1].amounts.EUR.top: is not one",
        "{raise: 10}                | {raise: 0}                 | prices[1].amounts.EUR.raise: must be 1 to",
        "{raise: 10}                | {raise: -1}                | prices[1].amounts.EUR.raise: must be 1 to",
        "{raise: 10}                | {raise: 1.5}               | prices[1].amounts.EUR.raise: must be a whole",
        "{raise: 10}                | {raise: '10'}              | prices[1].amounts.EUR.raise: must be a whole",
        "{raise: 10}                | {raise: 1000000000001}     | prices[1].amounts.EUR.raise: must be 1 to",
        "{EUR: {raise: 10}}         | {EURO: {raise: 10}}        | prices[1].amounts.EURO: must be the ISO 4217",
        "{EUR: {raise: 10}}         | {}                         | prices[1].amounts: must not be empty",
        "amounts: {EUR: {raise: 10}} | durations: {raise: x}     | prices[1].durations.raise: must be a duration",
        "amounts: {EUR: {raise: 10}} | durations: {top: PT1H}    | prices[1].durations.top: is not one",
        "premium: 2, turbo: 3       | premium: 2                 | the price of turbo in EUR",
        "- category: cars           | - {amounts: {EUR: {raise: 1}}}\\n  - category: cars | two rows for category (all), region (all)",
      })
  void parse_mistake_isRefusedWithItsPlace(String from, String to, String error) {
    assertThat(VALID).contains(from);
    String yaml = VALID.replace(from, to.replace("\\n", "\n"));
    assertThatThrownBy(() -> PriceMatrixFile.parse("my.yaml", yaml, CATEGORIES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("my.yaml has mistakes:")
        .hasMessageContaining(error);
  }

  @Test
  void parse_severalMistakes_reportsAll() {
    String yaml = VALID.replace("cars", "boats").replace("{raise: 10}", "{top: 0}");
    assertThatThrownBy(() -> PriceMatrixFile.parse("my.yaml", yaml, CATEGORIES))
        .hasMessageContaining("no category boats")
        .hasMessageContaining("top: is not one of the services")
        .hasMessageContaining("top: must be 1 to");
  }

  @ParameterizedTest
  @CsvSource({"''", "[]", "prices"})
  void parse_otherDocument_isRefused(String yaml) {
    assertThatThrownBy(() -> PriceMatrixFile.parse("my.yaml", yaml, CATEGORIES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("services: must be 1 to 20");
  }

  @Test
  void read_fileThatIsNoYamlOrMissing_isRefused(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("prices.yaml");
    assertThatThrownBy(() -> PriceMatrixFile.read(file, CATEGORIES))
        .isInstanceOf(UncheckedIOException.class);
    Files.writeString(file, "currency: EUR\ncurrency: USD\n");
    assertThatThrownBy(() -> PriceMatrixFile.read(file, CATEGORIES))
        .hasMessageContaining("is not readable YAML");
    Files.writeString(file, VALID);
    assertThat(PriceMatrixFile.read(file, CATEGORIES).services().names()).hasSize(3);
  }
}
