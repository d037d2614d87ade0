package dev.torg.promotions.payment;

import dev.torg.platform.Backoff;
import dev.torg.promotions.payment.WebhookStore.Processed;
import java.time.Duration;
import java.time.Instant;

/// When a webhook is processed again.
final class WebhookRetries {
  /// With the pauses of [#PAUSES] for about three days.
  private static final int MAX_ATTEMPTS = 12;

  private static final Backoff PAUSES = new Backoff(Duration.ofMinutes(1), Duration.ofDays(1));

  private WebhookRetries() {}

  /// One of an unknown payment is processed again, in case it becomes known.
  static Processed after(ReceivedWebhook webhook, ReportOutcome outcome, Instant now) {
    return outcome == ReportOutcome.UNKNOWN
        ? again(webhook, outcome, outcome, now)
        : new Processed(webhook.key(), outcome, webhook.attempts(), null);
  }

  /// One that could not be processed.
  static Processed failed(ReceivedWebhook webhook, Instant now) {
    return again(webhook, ReportOutcome.WAITING, ReportOutcome.FAILED, now);
  }

  private static Processed again(
      ReceivedWebhook webhook, ReportOutcome waiting, ReportOutcome last, Instant now) {
    int attempts = webhook.attempts() + 1;
    return attempts < MAX_ATTEMPTS
        ? new Processed(webhook.key(), waiting, attempts, now.plus(PAUSES.after(attempts)))
        : new Processed(webhook.key(), last, attempts, null);
  }
}
