package dev.torg.promotions.price;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// The JSON that a pricing service returns: `{"prices":[{"service":"raise","price":{"amount":"199","currency":"EUR"},
/// "durationSeconds":86400}]}`, each requested service once and no other, in one currency. `durationSeconds` may be
/// missing; the amount may be a number.
final class PricingResponse {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private PricingResponse() {}

  /// The response does not have the expected form. The message is for the log.
  static final class InvalidResponseException extends RuntimeException {
    InvalidResponseException(String message) {
      super(message);
    }
  }

  /// @param durations of services for which the response states none
  static Map<String, PricedService> parse(
      String json, Set<String> requested, Function<String, Duration> durations) {
    Map<String, PricedService> found = new HashMap<>();
    for (JsonNode node : prices(json)) {
      String service = node.path("service").asText();
      if (!requested.contains(service)) {
        throw new InvalidResponseException("a service that was not requested: " + service);
      }
      if (found.put(service, priced(node, durations.apply(service))) != null) {
        throw new InvalidResponseException("two prices of " + service);
      }
    }
    return checked(found, requested);
  }

  private static JsonNode prices(String json) {
    try {
      JsonNode prices = JSON.readTree(json).path("prices");
      if (!prices.isArray()) {
        throw new InvalidResponseException("no list of prices");
      }
      return prices;
    } catch (JsonProcessingException e) {
      throw new InvalidResponseException("not JSON: " + e.getOriginalMessage());
    }
  }

  private static PricedService priced(JsonNode node, Duration otherwise) {
    JsonNode price = node.path("price");
    long amount = amount(price.path("amount"));
    Duration duration = duration(node.path("durationSeconds"), otherwise);
    if (!PricedService.isPrice(amount) || !PricedService.isDuration(duration)) {
      throw new InvalidResponseException("a price or duration out of bounds: " + node);
    }
    try {
      return new PricedService(new Money(amount, price.path("currency").asText()), duration);
    } catch (Failure e) {
      throw new InvalidResponseException("no such currency: " + node);
    }
  }

  private static long amount(JsonNode amount) {
    if (amount.isIntegralNumber() && amount.canConvertToLong()) {
      return amount.longValue();
    }
    if (amount.isTextual() && amount.textValue().matches("[0-9]{1,18}")) {
      return Long.parseLong(amount.textValue());
    }
    throw new InvalidResponseException("an amount that is no whole number: " + amount);
  }

  private static Duration duration(JsonNode seconds, Duration otherwise) {
    if (seconds.isMissingNode() || seconds.isNull()) {
      return otherwise;
    }
    if (!seconds.isIntegralNumber() || !seconds.canConvertToLong()) {
      throw new InvalidResponseException("a duration that is no whole number: " + seconds);
    }
    return Duration.ofSeconds(seconds.longValue());
  }

  /// In the order of the request.
  private static Map<String, PricedService> checked(
      Map<String, PricedService> found, Set<String> requested) {
    if (found.values().stream().map(s -> s.price().currency()).distinct().count() > 1) {
      throw new InvalidResponseException("prices in several currencies");
    }
    Map<String, PricedService> prices = new LinkedHashMap<>();
    for (String service : requested) {
      PricedService priced = found.get(service);
      if (priced == null) {
        throw new InvalidResponseException("no price of " + service);
      }
      prices.put(service, priced);
    }
    return prices;
  }
}
