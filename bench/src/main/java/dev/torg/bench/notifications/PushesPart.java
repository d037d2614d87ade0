package dev.torg.bench.notifications;

import static dev.torg.bench.notifications.MeasuredServer.round;
import static dev.torg.bench.notifications.MeasuredServer.seconds;

import dev.torg.api.v1.Notification;
import dev.torg.bench.delivery.FcmServer;
import dev.torg.bench.report.Report;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/// Pushes from the queue to a local Firebase: claimed, decided, counted, sent, and their outcomes recorded. The time
/// begins when all become due.
record PushesPart(
    MeasuredServer server, FcmServer fcm, Notification content, int pushes, int warmUp) {
  private static final double MIN_PER_SECOND = 10_000;
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  /// How many people a second are loaded at least, so that all are before the messages are due.
  private static final int MIN_LOADED_PER_SECOND = 4_000;

  private static final Duration MIN_LOAD_TIME = Duration.ofSeconds(5);

  /// @param accepted until Firebase had accepted all
  /// @param recorded until all outcomes were recorded
  private record Pushed(Duration accepted, Duration recorded, long delivered, long queued) {}

  void measure(Report.Builder report) throws SQLException, IOException {
    try (PushQueue queue = new PushQueue(server.database(), content)) {
      server.options().progress("%,d pushes to warm up ...", warmUp);
      var _ = push(queue, "user:warm-push-", warmUp);
      server.options().progress("%,d pushes ...", pushes);
      add(report, push(queue, "user:push-", pushes));
    }
  }

  private Pushed push(PushQueue queue, String prefix, int count) throws SQLException, IOException {
    int before = fcm.acceptedMessages();
    Instant due = Instant.now().plus(MIN_LOAD_TIME).plusSeconds(count / MIN_LOADED_PER_SECOND);
    queue.load(prefix, count, due);
    server.rest();
    if (Instant.now().isAfter(due)) {
      throw new IllegalStateException("the messages became due while they were loaded");
    }
    awaitUntil(due);
    Duration accepted = awaitAccepted(due, before + count);
    Duration recorded = awaitRecorded(queue, due, count);
    return new Pushed(accepted, recorded, queue.delivered(due), queue.queued());
  }

  private static void awaitUntil(Instant due) {
    while (Instant.now().isBefore(due)) {
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }

  private Duration awaitAccepted(Instant due, int count) {
    while (fcm.acceptedMessages() < count && Instant.now().isBefore(due.plus(TIMEOUT))) {
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
    return Duration.between(due, Instant.now());
  }

  private static Duration awaitRecorded(PushQueue queue, Instant due, int count)
      throws SQLException {
    while (queue.delivered(due) < count && Instant.now().isBefore(due.plus(TIMEOUT))) {
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
    return Duration.between(due, Instant.now());
  }

  private void add(Report.Builder report, Pushed pushed) {
    double perSecond = round(pushes / seconds(pushed.recorded));
    long doubled = fcm.accepted().values().stream().filter(times -> times > 1).count();
    boolean isExact =
        fcm.acceptedMessages() == pushes + warmUp
            && doubled == 0
            && pushed.delivered == pushes
            && pushed.queued == 0;
    report
        .param("pushes", pushes)
        .param("pushesOfTheWarmUp", warmUp)
        .result("pushesPerSecond", perSecond)
        .result("pushesAcceptedPerSecond", round(pushes / seconds(pushed.accepted)))
        .result("pushSeconds", round(seconds(pushed.recorded)))
        .result("pushesDelivered", pushed.delivered)
        .result("pushesDoubled", doubled)
        .atLeast("pushesPerSecond", MIN_PER_SECOND, perSecond)
        .target("pushCountsAreExact", true, isExact, isExact);
  }
}
