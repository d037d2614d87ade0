package dev.torg.promotions;

import com.google.protobuf.ByteString;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// Accepts the webhooks of the payment provider.
public interface PaymentWebhooks {
  /// Bytes of a body; those of providers have a few kilobytes.
  int MAX_BYTES = 256 * 1024;

  /// Verifies the signature before anything is parsed. Completes when the webhook is stored; it is processed later. Fails
  /// with UNAUTHENTICATED or INVALID if it is refused, and with UNAVAILABLE if it has to be sent again.
  ///
  /// @param headers by lower-case name
  /// @param body exactly as received
  CompletableFuture<Void> accept(Map<String, String> headers, ByteString body);
}
