package dev.torg.notifications.operation;

import dev.torg.notifications.Channel;
import dev.torg.platform.Home;
import java.time.Instant;
import java.util.Optional;

/// The record of an attempt, or of a decision against one.
///
/// @param number from 1
/// @param reason a short code; may be empty
public record DeliveryAttempt(
    String owner,
    long notificationId,
    Channel channel,
    int number,
    Instant at,
    AttemptOutcome outcome,
    String reason,
    Optional<String> sourceId) {
  static DeliveryAttempt of(
      DeliveryOperation operation, Instant at, AttemptOutcome outcome, String reason) {
    return new DeliveryAttempt(
        operation.owner(),
        operation.notificationId(),
        operation.channel(),
        operation.attempts() + 1,
        at,
        outcome,
        reason,
        operation.sourceId());
  }

  Home home() {
    return Home.of(owner);
  }

  DeliveryAttempt movedTo(String newOwner, long newId) {
    return new DeliveryAttempt(newOwner, newId, channel, number, at, outcome, reason, sourceId);
  }
}
