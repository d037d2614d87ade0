package dev.torg.promotions.payment;

import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.provider.WebhookEvent;
import java.util.Optional;

/// What the provider states about a payment, any number of times and in any order.
///
/// @param amount that was paid or returned
/// @param cause for the audit: the event of the webhook, or that the provider was asked
/// @param webhook the stored webhook to be marked as processed; empty if the provider was asked
record PaymentReport(
    PaymentId payment,
    WebhookEvent.Kind kind,
    Optional<Money> amount,
    String cause,
    Optional<ReceivedWebhook> webhook) {}
