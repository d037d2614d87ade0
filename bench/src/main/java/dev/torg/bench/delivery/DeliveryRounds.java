package dev.torg.bench.delivery;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/// What happens in the rounds: a campaign and notifications are sent, and meanwhile, in turn, one of the two processes
/// is killed, both are killed, or the provider refuses everything for some seconds.
final class DeliveryRounds {
  static final int NOTIFICATIONS = 30;
  private static final int MAX_MILLIS_BEFORE_KILL = 800;
  private static final int MIN_OUTAGE_MILLIS = 4_000;
  private static final int MAX_OUTAGE_MILLIS = 10_000;

  private final NotificationSource source;
  private final DeliveryWorkers workers;
  private final FcmServer fcm;
  private final SplittableRandom random;
  private int outages;

  DeliveryRounds(
      NotificationSource source, DeliveryWorkers workers, FcmServer fcm, SplittableRandom random) {
    this.source = source;
    this.workers = workers;
    this.fcm = fcm;
    this.random = random;
  }

  /// Returns what was done, for people.
  ///
  /// @param round from 1
  String play(int round) {
    source.startCampaign();
    return switch (round % 3) {
      case 1 -> kill(List.of(random.nextInt(2)));
      case 2 -> kill(List.of(0, 1));
      default -> refuse();
    };
  }

  private String kill(List<Integer> victims) {
    int before = randomCount();
    source.send(before);
    pause(random.nextInt(MAX_MILLIS_BEFORE_KILL));
    victims.forEach(workers::kill);
    source.send(NOTIFICATIONS - before);
    victims.forEach(workers::restart);
    return "workers %s killed after %d notifications".formatted(victims, before);
  }

  private String refuse() {
    int millis = random.nextInt(MIN_OUTAGE_MILLIS, MAX_OUTAGE_MILLIS);
    int before = randomCount();
    outages++;
    fcm.refuse(true);
    source.send(before);
    pause(millis);
    source.send(NOTIFICATIONS - before);
    fcm.refuse(false);
    return "pushes refused for %d ms".formatted(millis);
  }

  private int randomCount() {
    return random.nextInt(1, NOTIFICATIONS);
  }

  int outages() {
    return outages;
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
  }
}
