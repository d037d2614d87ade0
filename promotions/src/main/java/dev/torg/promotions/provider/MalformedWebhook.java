package dev.torg.promotions.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.platform.Failure;

/// Refuses webhooks that are signed and cannot be read.
public final class MalformedWebhook {
  private MalformedWebhook() {}

  public static Failure failure(String problem) {
    return Failure.invalid("webhook.malformed", "the webhook cannot be read", "body", problem);
  }

  public static JsonNode requireObject(JsonNode node) {
    if (!node.isObject()) {
      throw failure("is no JSON object");
    }
    return node;
  }

  /// A field of text that is not empty.
  public static String requireText(JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (!value.isTextual() || value.textValue().isEmpty()) {
      throw failure("has no " + field);
    }
    return value.textValue();
  }
}
