package dev.torg.promotions.price;

import static dev.torg.promotions.price.TestOffers.offer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryFile;
import dev.torg.offers.category.CategoryNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceMatrixTest {
  private static final Categories CATEGORIES = CategoryFile.defaultTree();
  private static final Set<String> BOTH = Set.of("raise", "premium");

  private final PriceMatrix matrix =
      PriceMatrixFile.parse(
          "test",
          """
          currency: EUR
          services:
            raise: {duration: PT24H}
            premium: {duration: P7D}
          prices:
            - amounts: {EUR: {raise: 1, premium: 2}}
            - category: cars
              amounts: {EUR: {raise: 10}, USD: {raise: 11, premium: 12}}
            - category: transport
              region: de/berlin
              amounts: {EUR: {raise: 20, premium: 21}}
              durations: {premium: P14D}
            - category: transport
              amounts: {EUR: {raise: 30, premium: 31}}
            - category: transport
              region: de
              amounts: {EUR: {premium: 41}}
              durations: {premium: P30D, raise: PT1H}
            - region: de
              amounts: {EUR: {raise: 50}, USD: {raise: 51}}
          """,
          CATEGORIES);

  @ParameterizedTest
  @CsvSource({
    // category, region, raise, premium
    "pets,        '',         1,  2",
    "unknown,     fr,         1,  2",
    "pets,        de,         50, 2",
    "pets,        de/berlin,  50, 2",
    "pets,        demo,       1,  2",
    "transport,   '',         30, 31",
    "motorcycles, fr/paris,   30, 31",
    "motorcycles, de,         30, 41",
    "motorcycles, de/hessen,  30, 41",
    "motorcycles, de/berlin,  20, 21",
    "motorcycles, de/berlin/mitte, 20, 21",
    "motorcycles, de/berlin-x,     30, 41",
    "cars,        '',         10, 31",
    "cars,        de/berlin,  10, 21",
  })
  void prices_mostSpecificRowWins_categoryBeforeRegion(
      String category, String region, long raise, long premium) {
    Map<String, PricedService> prices = matrix.prices(offer(category, region), BOTH);
    assertThat(prices.get("raise").price().amount()).isEqualTo(raise);
    assertThat(prices.get("premium").price().amount()).isEqualTo(premium);
  }

  @ParameterizedTest
  @CsvSource({
    "pets,        de,        PT24H, P7D",
    "motorcycles, fr,        PT24H, P7D",
    "motorcycles, de/hessen, PT1H,  P30D",
    "motorcycles, de/berlin, PT1H,  P14D",
  })
  void prices_durationOfMostSpecificRow_elseOfService(
      String category, String region, Duration raise, Duration premium) {
    Map<String, PricedService> prices = matrix.prices(offer(category, region), BOTH);
    assertThat(prices.get("raise").duration()).isEqualTo(raise);
    assertThat(prices.get("premium").duration()).isEqualTo(premium);
    assertThat(matrix.duration(offer(category, region), "premium")).isEqualTo(premium);
  }

  @ParameterizedTest
  @CsvSource({
    // of the offer, services, of the prices
    "cars, EUR, raise premium, EUR",
    "cars, USD, raise premium, USD",
    "cars, USD, raise,         USD",
    "cars, RUB, raise,         EUR",
    "pets, USD, raise,         USD",
    "pets, USD, raise premium, EUR",
    "pets, USD, premium,       EUR",
  })
  void prices_currencyOfTheOffer_ifAllServicesHaveIt(
      String category, String offerCurrency, String services, String currency) {
    Map<String, PricedService> prices =
        matrix.prices(offer(category, "de", offerCurrency), Set.of(services.split(" ")));
    assertThat(prices.values())
        .extracting(priced -> priced.price().currency())
        .containsOnly(currency);
  }

  /// Every default category has prices of its own, or those of an ancestor.
  @Test
  void defaults_everyCategory_hasAPriceOfEveryService() {
    PriceMatrix defaults = PriceMatrixFile.defaults(CATEGORIES);
    assertThat(defaults.services().names())
        .containsExactly("raise", "highlight", "premium", "turbo");
    CATEGORIES.roots().forEach(root -> requirePrices(defaults, root));
  }

  private static void requirePrices(PriceMatrix defaults, CategoryNode category) {
    Map<String, PricedService> prices =
        defaults.prices(offer(category.id(), ""), defaults.services().names());
    assertThat(prices.keySet()).isEqualTo(defaults.services().names());
    long parts =
        List.of("raise", "highlight", "premium").stream()
            .mapToLong(name -> prices.get(name).price().amount())
            .sum();
    assertThat(prices.get("turbo").price().amount()).as(category.id()).isLessThan(parts);
    category.children().forEach(child -> requirePrices(defaults, child));
  }

  @Test
  void defaults_regions_haveTheirOwnPrices() {
    PriceMatrix defaults = PriceMatrixFile.defaults(CATEGORIES);
    Set<String> premium = Set.of("premium");
    long berlin = amount(defaults.prices(offer("flats-rent", "de/berlin/mitte", "EUR"), premium));
    assertThat(berlin)
        .isGreaterThan(amount(defaults.prices(offer("flats-rent", "de/hessen"), premium)));
    Map<String, PricedService> moscow = defaults.prices(offer("cars", "ru/moscow", "RUB"), premium);
    assertThat(moscow.get("premium").price().currency()).isEqualTo("RUB");
  }

  private static long amount(Map<String, PricedService> prices) {
    return prices.get("premium").price().amount();
  }

  /// The operator has replaced the category tree: the default rows for other categories do not apply.
  @Test
  void defaults_otherCategoryTree_hasTheCommonPrices() {
    CategoryNode boats =
        new CategoryNode(
            "boats", Optional.empty(), Map.of("en", "Boats"), Map.of(), List.of(), false, false);
    PriceMatrix defaults = PriceMatrixFile.defaults(new Categories(List.of(boats)));
    assertThat(defaults.prices(offer("boats", ""), BOTH)).hasSize(2);
  }
}
