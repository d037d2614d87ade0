package dev.torg.bench.feed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.bench.process.ApiClient;
import dev.torg.platform.Failure;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/// Pairs of a seller and a follower unrelated to the feed: at intervals one of the sellers
/// publishes, and the time until the follower's bell shows the offer is measured at the follower.
/// Another follower follows the feed's seller, whose alerts must collapse.
final class OtherAlerts implements AutoCloseable {
  /// Enough that no recipient reaches its alert limits within a run.
  private static final int PAIRS = 100;

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
  private static final Duration MAX_LATENCY = Duration.ofMinutes(1);

  private final ApiClient anonymous;
  private final ApiClient crowded;
  private final List<Pair> pairs = new ArrayList<>();
  private final Recorder millis = new Recorder(MAX_LATENCY.toMillis(), 3);
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private int next;

  private record Pair(ApiClient seller, ApiClient follower) {}

  OtherAlerts(String address, String feedSeller) {
    anonymous = new ApiClient(address);
    crowded = anonymous.loggedInAs("feed-crowded");
    crowded.follow(feedSeller);
    for (int i = 0; i < PAIRS; i++) {
      ApiClient follower = anonymous.loggedInAs("feed-follower-" + i);
      follower.follow("user:feed-quiet-" + i);
      pairs.add(new Pair(anonymous.loggedInAs("feed-quiet-" + i), follower));
    }
  }

  /// Starts publishing.
  OtherAlerts start() {
    timer.scheduleWithFixedDelay(
        this::publish, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    return this;
  }

  /// Discards the results so far.
  void reset() {
    millis.reset();
  }

  /// Milliseconds from the publishing call to the bell, since the start or the last reset.
  Histogram result() {
    return millis.getIntervalHistogram();
  }

  /// Entries in the bell of a follower of the feed's seller, and the number of offers in them.
  int crowdedEntries() {
    return crowded.get("/v1/notifications?pageSize=200").path("notifications").size();
  }

  private void publish() {
    Pair pair = pairs.get(next++ % PAIRS);
    try {
      long start = System.nanoTime();
      awaitBell(pair.follower(), pair.seller().publish("Number " + next), start);
    } catch (Failure | UncheckedIOException e) {
      millis.recordValue(MAX_LATENCY.toMillis());
    }
  }

  private void awaitBell(ApiClient follower, String offer, long start) {
    long passed = 0;
    while (!isNotified(follower, offer) && passed < MAX_LATENCY.toMillis()) {
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
      passed = Duration.ofNanos(System.nanoTime() - start).toMillis();
    }
    millis.recordValue(
        Math.min(MAX_LATENCY.toMillis(), Duration.ofNanos(System.nanoTime() - start).toMillis()));
  }

  private static boolean isNotified(ApiClient follower, String offer) {
    for (JsonNode entry : follower.get("/v1/notifications?pageSize=5").path("notifications")) {
      if (entry.path("offerId").asText().equals(offer)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    anonymous.close();
  }
}
