package dev.torg.bench.delivery;

import dev.torg.bench.delivery.DeliveryTables.Unfinished;
import dev.torg.bench.delivery.DeviceOwner.ReadEntry;
import dev.torg.bench.delivery.FcmServer.Push;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Compares what was sent with the bells and with the messages that the provider accepted. A push may be missing only
/// if its attempt was in flight at a kill: begun before it, and without an outcome.
final class DeliveryComparison {
  /// An attempt takes less, also on a busy machine.
  private static final Duration MAX_ATTEMPT = Duration.ofSeconds(30);

  private final Map<Push, Integer> accepted;
  private final Set<Attempted> inFlight = new HashSet<>();
  private final Set<Push> expectedPushes = new HashSet<>();
  private long missingEntries;
  private long doubledEntries;
  private long unexpectedEntries;
  private long wrongUnreadCounts;
  private long lostInFlight;
  private long lostPushes;
  private long unexplainedAttempts;

  private record Attempted(String owner, String notificationId) {}

  /// What a recipient must have, and what the API returned.
  ///
  /// @param expected titles, each of one notification
  record OwnedBell(
      String subject,
      List<String> deviceTokens,
      Set<String> expected,
      List<ReadEntry> entries,
      long unread) {}

  /// @param accepted how often the provider accepted each message
  /// @param kills the times at which killed processes had ended
  DeliveryComparison(
      Collection<OwnedBell> bells,
      Map<Push, Integer> accepted,
      List<Unfinished> unfinished,
      List<Instant> kills) {
    this.accepted = accepted;
    unfinished.forEach(attempt -> classify(attempt, kills));
    bells.forEach(this::compareBell);
    bells.forEach(this::comparePushes);
  }

  private void classify(Unfinished attempt, List<Instant> kills) {
    boolean wasInFlight =
        kills.stream()
            .anyMatch(
                kill ->
                    !attempt.at().isAfter(kill) && attempt.at().isAfter(kill.minus(MAX_ATTEMPT)));
    if (wasInFlight) {
      inFlight.add(new Attempted(attempt.owner(), attempt.notificationId()));
    } else {
      unexplainedAttempts++;
    }
  }

  private void compareBell(OwnedBell bell) {
    Map<String, Integer> times = new HashMap<>();
    bell.entries().forEach(entry -> times.merge(entry.title(), 1, Integer::sum));
    missingEntries += bell.expected().stream().filter(title -> !times.containsKey(title)).count();
    unexpectedEntries +=
        times.keySet().stream().filter(title -> !bell.expected().contains(title)).count();
    doubledEntries += times.values().stream().mapToLong(count -> count - 1L).sum();
    wrongUnreadCounts += bell.unread() == bell.expected().size() ? 0 : 1;
  }

  private void comparePushes(OwnedBell bell) {
    for (ReadEntry entry : bell.entries()) {
      for (String device : bell.deviceTokens()) {
        Push push = new Push(device, entry.id());
        expectedPushes.add(push);
        if (!accepted.containsKey(push)) {
          missing(new Attempted(bell.subject(), entry.id()));
        }
      }
    }
  }

  private void missing(Attempted attempt) {
    if (inFlight.contains(attempt)) {
      lostInFlight++;
    } else {
      lostPushes++;
    }
  }

  /// Notifications that a recipient's bell does not have.
  long missingEntries() {
    return missingEntries;
  }

  long doubledEntries() {
    return doubledEntries;
  }

  long unexpectedEntries() {
    return unexpectedEntries;
  }

  /// Recipients of whom the number of unread entries is not that of the notifications.
  long wrongUnreadCounts() {
    return wrongUnreadCounts;
  }

  long expectedPushes() {
    return expectedPushes.size();
  }

  long deliveredPushes() {
    return expectedPushes.stream().filter(accepted::containsKey).count();
  }

  /// Messages that the provider accepted more than once.
  long doubledPushes() {
    return accepted.values().stream().filter(times -> times > 1).count();
  }

  /// Messages to another device than the recipient's, or about no entry of the bell.
  long unexpectedPushes() {
    return accepted.keySet().stream().filter(push -> !expectedPushes.contains(push)).count();
  }

  /// Attempts without an outcome that were in flight at a kill.
  long attemptsInFlight() {
    return inFlight.size();
  }

  /// Missing pushes whose attempts were in flight at a kill.
  long lostInFlight() {
    return lostInFlight;
  }

  /// Missing pushes that no kill explains.
  long lostPushes() {
    return lostPushes;
  }

  /// Attempts without an outcome that were not in flight at a kill.
  long unexplainedAttempts() {
    return unexplainedAttempts;
  }
}
