package dev.torg.promotions.provider.sandbox;

import dev.torg.platform.Home;
import java.time.Instant;

/// A call of the webhook that is to be made.
///
/// @param copy 0 for the first call for an event, then 1 and so on
/// @param attempts that have failed
record SandboxWebhook(
    Home home, String eventId, int copy, int attempts, Instant dueAt, String body) {
  SandboxWebhook failed(Instant retryAt) {
    return new SandboxWebhook(home, eventId, copy, attempts + 1, retryAt, body);
  }
}
