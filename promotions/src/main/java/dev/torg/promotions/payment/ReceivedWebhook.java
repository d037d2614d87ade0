package dev.torg.promotions.payment;

import com.google.protobuf.ByteString;
import dev.torg.platform.Home;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.provider.WebhookEvent;
import java.time.Instant;
import java.util.Optional;

/// A webhook whose signature was verified.
///
/// @param attempts of the job to process it
record ReceivedWebhook(
    WebhookKey key, Optional<PaymentId> payment, Instant at, ByteString body, int attempts) {
  static ReceivedWebhook of(String provider, WebhookEvent event, ByteString body, Instant now) {
    Home home =
        event
            .paymentId()
            .map(PaymentId::home)
            .orElseGet(
                () ->
                    Home.of(
                        event.providerReference().isEmpty()
                            ? event.eventId()
                            : event.providerReference()));
    return new ReceivedWebhook(
        new WebhookKey(home, provider, event.eventId()), event.paymentId(), now, body, 0);
  }

  /// Empty if it names no payment.
  Optional<PaymentReport> report(WebhookEvent event) {
    return event
        .paymentId()
        .map(
            id ->
                new PaymentReport(
                    id,
                    event.kind(),
                    event.amount(),
                    "webhook " + key.eventId(),
                    Optional.of(this)));
  }
}
