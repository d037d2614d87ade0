package dev.torg.promotions.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Money;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PricingResponseTest {
  private static final Duration DEFAULT = Duration.ofDays(3);

  private static Map<String, PricedService> parse(String json) {
    return PricingResponse.parse(json, Set.of("raise"), _ -> DEFAULT);
  }

  private static String of(String price) {
    return "{\"prices\":[" + price.replace('\'', '"') + "]}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'service':'raise','price':{'amount':'199','currency':'EUR'}} | 199 | P3D",
        "{'service':'raise','price':{'amount':199,'currency':'EUR'},'durationSeconds':86400} | 199 | P1D",
        "{'service':'raise','price':{'amount':1,'currency':'EUR'},'durationSeconds':null,'x':1} | 1 | P3D",
      })
  void parse_valid_isThePrice(String price, long amount, Duration duration) {
    assertThat(parse(of(price)))
        .containsExactly(Map.entry("raise", new PricedService(new Money(amount, "EUR"), duration)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'service':'raise'} | no whole number",
        "{'service':'raise','price':{'amount':'1.99','currency':'EUR'}} | no whole number",
        "{'service':'raise','price':{'amount':1.99,'currency':'EUR'}} | no whole number",
        "{'service':'raise','price':{'amount':null,'currency':'EUR'}} | no whole number",
        "{'service':'raise','price':{'amount':'0','currency':'EUR'}} | out of bounds",
        "{'service':'raise','price':{'amount':-5,'currency':'EUR'}} | out of bounds",
        "{'service':'raise','price':{'amount':'9999999999999','currency':'EUR'}} | out of bounds",
        "{'service':'raise','price':{'amount':99999999999999999999,'currency':'EUR'}} | no whole number",
        "{'service':'raise','price':{'amount':'5','currency':'EURO'}} | no such currency",
        "{'service':'raise','price':{'amount':'5'}} | no such currency",
        "{'service':'raise','price':{'amount':'5','currency':'EUR'},'durationSeconds':1} | out of bounds",
        "{'service':'raise','price':{'amount':'5','currency':'EUR'},'durationSeconds':'P1D'} | no whole number",
        "{'service':'top','price':{'amount':'5','currency':'EUR'}} | not requested",
        "{'price':{'amount':'5','currency':'EUR'}} | not requested",
        "{'service':'raise','service':'raise','price':{'amount':'5','currency':'EUR'}} | not JSON",
      })
  void parse_invalidPrice_isRefused(String price, String reason) {
    refused(of(price), reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        " | no list",
        "[] | no list",
        "{} | no list",
        "<html> | not JSON",
        "{'prices':{}} | no list",
        "{'prices':[]} | no price of raise",
        "{'prices':[]} {} | not JSON",
      })
  void parse_otherDocument_isRefused(String json, String reason) {
    refused(json == null ? "" : json.replace('\'', '"'), reason);
  }

  @Test
  void parse_twoPricesOrCurrencies_areRefused() {
    String raise = "{'service':'raise','price':{'amount':'5','currency':'EUR'}}";
    refused(of(raise + "," + raise), "two prices");
    String premium = "{'service':'premium','price':{'amount':'5','currency':'USD'}}";
    assertThatThrownBy(
            () ->
                PricingResponse.parse(
                    of(raise + "," + premium), Set.of("raise", "premium"), _ -> DEFAULT))
        .hasMessageContaining("several currencies");
  }

  private static void refused(String json, String reason) {
    assertThatThrownBy(() -> parse(json))
        .isInstanceOf(PricingResponse.InvalidResponseException.class)
        .hasMessageContaining(reason);
  }
}
