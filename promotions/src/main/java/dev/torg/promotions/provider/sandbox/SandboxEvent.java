package dev.torg.promotions.provider.sandbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.provider.MalformedWebhook;
import dev.torg.promotions.provider.WebhookEvent;
import dev.torg.promotions.provider.WebhookEvent.Kind;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/// The body of a webhook of the sandbox:
///
///     {"id": "…", "type": "payment.paid", "createdAt": "…",
///      "payment": {"id": "…", "reference": "…", "amount": 500, "currency": "EUR"}}
///
/// The amount of `payment.refunded` is what was returned so far.
final class SandboxEvent {
  private static final JsonMapper JSON = new JsonMapper();

  private static final String PAID = "payment.paid";
  private static final String DECLINED = "payment.declined";
  private static final String REFUNDED = "payment.refunded";

  private SandboxEvent() {}

  /// The body for the last change of a payment.
  static String json(SandboxPayment payment, Instant at) {
    boolean refund = payment.refunded() > 0;
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", payment.eventId())
            .put("type", refund ? REFUNDED : type(payment.status()))
            .put("createdAt", at.toString());
    body.putObject("payment")
        .put("id", payment.id().text())
        .put("reference", SandboxPayment.reference(payment.id()))
        .put("amount", refund ? payment.refunded() : payment.total().amount())
        .put("currency", payment.total().currency());
    return body.toString();
  }

  private static String type(SandboxStatus status) {
    return switch (status) {
      case PENDING -> throw new IllegalArgumentException("nothing has happened to the payment");
      case DECLINED -> DECLINED;
      case PAID -> PAID;
    };
  }

  static WebhookEvent read(ByteString body) {
    JsonNode event = parse(body);
    JsonNode payment = event.path("payment");
    String id = payment.path("id").asText();
    return new WebhookEvent(
        MalformedWebhook.requireText(event, "id"),
        kind(MalformedWebhook.requireText(event, "type")),
        PaymentId.isValid(id) ? Optional.of(new PaymentId(id)) : Optional.empty(),
        payment.path("reference").asText(),
        amount(payment));
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

  private static Kind kind(String type) {
    return switch (type) {
      case PAID -> Kind.PAID;
      case DECLINED -> Kind.DECLINED;
      case REFUNDED -> Kind.REFUNDED;
      default -> Kind.OTHER;
    };
  }

  private static Optional<Money> amount(JsonNode payment) {
    JsonNode amount = payment.path("amount");
    if (amount.isMissingNode()) {
      return Optional.empty();
    }
    if (!amount.canConvertToLong() || !amount.isIntegralNumber()) {
      throw MalformedWebhook.failure("has an amount that is no whole number");
    }
    try {
      return Optional.of(new Money(amount.longValue(), payment.path("currency").asText()));
    } catch (Failure e) {
      throw MalformedWebhook.failure("has an amount that is no money");
    }
  }
}
