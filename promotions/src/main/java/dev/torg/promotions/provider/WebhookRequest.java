package dev.torg.promotions.provider;

import com.google.protobuf.ByteString;
import dev.torg.platform.Failure;
import java.util.Map;

/// A call of the webhook route, as received.
///
/// @param headers by lower-case name
/// @param body exactly the received bytes, over which the provider signed
public record WebhookRequest(Map<String, String> headers, ByteString body) {
  public WebhookRequest {
    headers = Map.copyOf(headers);
    if (body.size() > PaymentProvider.MAX_WEBHOOK_BYTES) {
      throw Failure.invalid(
          "webhook.too-large",
          "the webhook is too large",
          "body",
          "must have at most " + PaymentProvider.MAX_WEBHOOK_BYTES + " bytes");
    }
  }

  /// The value of a header, or an empty text.
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }
}
