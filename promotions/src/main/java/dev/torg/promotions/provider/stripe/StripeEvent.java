package dev.torg.promotions.provider.stripe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.ByteString;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.provider.MalformedWebhook;
import dev.torg.promotions.provider.WebhookEvent;
import dev.torg.promotions.provider.WebhookEvent.Kind;
import java.io.IOException;
import java.util.Optional;

/// Reads the few fields of an event that matter here. Stripe's library reads events of its own API version only, and the
/// version of a webhook endpoint is a setting at Stripe.
final class StripeEvent {
  private static final JsonMapper JSON = new JsonMapper();

  private StripeEvent() {}

  static WebhookEvent read(ByteString body) {
    JsonNode event = parse(body);
    String id = MalformedWebhook.requireText(event, "id");
    String type = MalformedWebhook.requireText(event, "type");
    JsonNode object = event.path("data").path("object");
    return switch (type) {
      case "checkout.session.completed" -> session(id, completed(object), object);
      case "checkout.session.async_payment_succeeded" -> session(id, Kind.PAID, object);
      case "checkout.session.async_payment_failed", "checkout.session.expired" ->
          session(id, Kind.DECLINED, object);
      case "charge.refunded" -> refund(id, object);
      default -> new WebhookEvent(id, Kind.OTHER, paymentId(object), "", Optional.empty());
    };
  }

  private static JsonNode parse(ByteString body) {
    try {
      return MalformedWebhook.requireObject(JSON.readTree(body.toByteArray()));
    } catch (JsonProcessingException e) {
      throw MalformedWebhook.failure("is not JSON");
    } catch (IOException e) {
      throw MalformedWebhook.failure("is not readable");
    }
  }

  /// A session is completed before the money has arrived if the payment method takes days.
  private static Kind completed(JsonNode session) {
    return session.path("payment_status").asText().equals("paid") ? Kind.PAID : Kind.OTHER;
  }

  private static WebhookEvent session(String eventId, Kind kind, JsonNode session) {
    return new WebhookEvent(
        eventId,
        kind,
        paymentId(session),
        MalformedWebhook.requireText(session, "id"),
        Optional.of(amount(session, "amount_total")));
  }

  /// A charge does not name its session.
  private static WebhookEvent refund(String eventId, JsonNode charge) {
    return new WebhookEvent(
        eventId,
        Kind.REFUNDED,
        paymentId(charge),
        "",
        Optional.of(amount(charge, "amount_refunded")));
  }

  private static Optional<PaymentId> paymentId(JsonNode object) {
    String inMetadata = object.path("metadata").path(StripeCheckouts.PAYMENT_KEY).asText();
    String id = inMetadata.isEmpty() ? object.path("client_reference_id").asText() : inMetadata;
    return PaymentId.isValid(id) ? Optional.of(new PaymentId(id)) : Optional.empty();
  }

  private static Money amount(JsonNode object, String field) {
    JsonNode amount = object.path(field);
    if (!amount.isIntegralNumber() || !amount.canConvertToLong()) {
      throw MalformedWebhook.failure("has no " + field);
    }
    try {
      return StripeAmounts.fromStripe(
          amount.longValue(), MalformedWebhook.requireText(object, "currency"));
    } catch (IllegalArgumentException | ArithmeticException | Failure e) {
      throw MalformedWebhook.failure("has a currency or amount that is no money");
    }
  }
}
