package dev.torg.promotions.price;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Value;
import dev.torg.platform.Money;
import java.util.Collection;

/// The JSON that a pricing service receives: the offer's parameters as in `GET /v1/offers/{id}`, and the services.
final class PricingRequest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private PricingRequest() {}

  static String json(OfferParameters offer, Collection<String> services) {
    ObjectNode request = NODES.objectNode();
    request.set("offer", offer(offer));
    ArrayNode names = request.putArray("services");
    services.forEach(names::add);
    return request.toString();
  }

  private static ObjectNode offer(OfferParameters offer) {
    ObjectNode node =
        NODES
            .objectNode()
            .put("id", offer.id().toString())
            .put("sellerId", offer.seller())
            .put("category", offer.category())
            .put("region", offer.region())
            .put("title", offer.title());
    offer.price().ifPresent(price -> node.set("price", money(price)));
    ObjectNode attributes = node.putObject("attributes");
    offer.attributes().forEach((key, value) -> attributes.set(key, value(value)));
    return node;
  }

  private static ObjectNode money(Money money) {
    return NODES
        .objectNode()
        .put("amount", Long.toString(money.amount()))
        .put("currency", money.currency());
  }

  /// An attribute is a text, a number, a boolean or a list of texts.
  private static JsonNode value(Value value) {
    return switch (value.getKindCase()) {
      case STRING_VALUE -> NODES.textNode(value.getStringValue());
      case NUMBER_VALUE -> NODES.numberNode(value.getNumberValue());
      case BOOL_VALUE -> NODES.booleanNode(value.getBoolValue());
      case LIST_VALUE -> {
        ArrayNode list = NODES.arrayNode();
        value.getListValue().getValuesList().forEach(item -> list.add(value(item)));
        yield list;
      }
      case NULL_VALUE, STRUCT_VALUE, KIND_NOT_SET -> NODES.nullNode();
    };
  }
}
