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

/// Pairs of a seller and a follower who have nothing to do with the feed: now and then one of the sellers publishes, and
/// what counts is how long the follower's bell takes to show it, as the follower sees it. Another follower follows the
/// feed's seller, whose alerts must collapse.
final class OtherAlerts implements AutoCloseable {
  /// Enough that none comes near the limits of a reader within a run.
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

  /// From now on.
  OtherAlerts start() {
    timer.scheduleWithFixedDelay(
        this::publish, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    return this;
  }

  /// Forgets how it went so far.
  void reset() {
    millis.reset();
  }

  /// Milliseconds from the call that publishes to the bell, since it started, or started over.
  Histogram result() {
    return millis.getIntervalHistogram();
  }

  /// Entries in the bell of a follower of the feed's seller, and the offers they stand for.
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
