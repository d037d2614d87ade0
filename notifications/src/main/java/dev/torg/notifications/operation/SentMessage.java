package dev.torg.notifications.operation;

import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryOutcome.Delivered;
import dev.torg.notifications.channel.DeliveryOutcome.Refused;
import dev.torg.notifications.channel.DeliveryOutcome.Rejected;
import dev.torg.notifications.channel.DeliveryOutcome.TargetGone;
import dev.torg.notifications.channel.DeliveryOutcome.Unknown;
import dev.torg.notifications.channel.DeliveryTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A message after its attempt, with the outcome of each target.
///
/// @param at when the last target's outcome was known
public record SentMessage(ClaimedMessage message, List<TargetOutcome> outcomes, Instant at) {
  /// What became of the message at one target.
  public record TargetOutcome(DeliveryTarget target, DeliveryOutcome outcome) {}

  public SentMessage {
    outcomes = List.copyOf(outcomes);
  }

  /// The outcome of the whole message: the best one for the person. Unknown counts more than refused, because it may have
  /// arrived.
  DeliveryOutcome outcome() {
    return outcomes.stream()
        .map(TargetOutcome::outcome)
        .min(Comparator.comparingInt(SentMessage::rank))
        .orElseThrow();
  }

  private static int rank(DeliveryOutcome outcome) {
    return switch (outcome) {
      case Delivered _ -> 0;
      case Unknown _ -> 1;
      case Refused _ -> 2;
      case Rejected _ -> 3;
      case TargetGone _ -> 4;
    };
  }

  /// Whether a target refused it, so that another attempt at these targets is due.
  boolean isRefused() {
    return outcomes.stream().anyMatch(one -> one.outcome() instanceof Refused);
  }

  /// The devices that refused it; empty for other targets.
  Set<String> refusedDevices() {
    return outcomes.stream()
        .filter(one -> one.outcome() instanceof Refused)
        .map(TargetOutcome::target)
        .filter(DeliveryTarget.Device.class::isInstance)
        .map(target -> ((DeliveryTarget.Device) target).deviceId())
        .collect(Collectors.toSet());
  }

  /// The longest wait that a target asked for.
  Optional<Duration> retryAfter() {
    return outcomes.stream()
        .flatMap(
            one ->
                one.outcome() instanceof Refused refused
                    ? refused.retryAfter().stream()
                    : Optional.<Duration>empty().stream())
        .max(Comparator.naturalOrder());
  }

  static AttemptOutcome recorded(DeliveryOutcome outcome) {
    return switch (outcome) {
      case Delivered _ -> AttemptOutcome.DELIVERED;
      case Unknown _ -> AttemptOutcome.UNKNOWN;
      case Refused _ -> AttemptOutcome.REFUSED;
      case Rejected _ -> AttemptOutcome.REJECTED;
      case TargetGone _ -> AttemptOutcome.TARGET_GONE;
    };
  }

  static String reason(DeliveryOutcome outcome) {
    return switch (outcome) {
      case Delivered _ -> "";
      case Unknown unknown -> unknown.reason();
      case Refused refused -> refused.reason();
      case Rejected rejected -> rejected.reason();
      case TargetGone gone -> gone.reason();
    };
  }
}
