package dev.torg.bench.abuse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.bench.load.LoadResult;
import dev.torg.bench.process.ApiClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/// Users of the site during an attack: each call starts at its scheduled time, whatever the outcome
/// of the previous one. A call's latency counts from that time. Health probes have their own rate.
final class OrdinaryTraffic implements AutoCloseable {
  /// The subject of the first seller.
  static final String SELLER = "user:ordinary-0";

  private static final int USERS = 10;
  private static final Duration PERIOD = Duration.ofMillis(50);
  private static final Duration PROBE_PERIOD = Duration.ofMillis(250);
  private static final long MAX_MICROS = Duration.ofMinutes(1).toNanos() / 1_000;

  private final ApiClient anyone;
  private final List<ApiClient> users = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();
  private final Recorder latency = new Recorder(MAX_MICROS, 3);
  private final Recorder probes = new Recorder(MAX_MICROS, 3);
  private final LongAdder failures = new LongAdder();
  private final LongAdder probeFailures = new LongAdder();
  private final Map<String, Long> reasons = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
  private volatile String offer = "";

  OrdinaryTraffic(String address) {
    anyone = new ApiClient(address);
    for (int i = 0; i < USERS; i++) {
      users.add(anyone.loggedInAs("ordinary-" + i));
    }
    offer = publish(users.getFirst(), 0);
    every(PERIOD, due -> calls.execute(() -> measured(due, latency, failures, this::call)));
    every(
        PROBE_PERIOD,
        due ->
            calls.execute(() -> measured(due, probes, probeFailures, () -> anyone.get("/health"))));
  }

  private interface AtTime {
    void run(long due);
  }

  private void every(Duration period, AtTime call) {
    long begin = System.nanoTime();
    AtomicInteger count = new AtomicInteger();
    timer.scheduleAtFixedRate(
        () -> call.run(begin + count.getAndIncrement() * period.toNanos()),
        0,
        period.toNanos(),
        TimeUnit.NANOSECONDS);
  }

  private void measured(long due, Recorder recorder, LongAdder failed, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      failed.increment();
      reasons.merge(String.valueOf(e.getMessage()), 1L, Long::sum);
    }
    recorder.recordValue(Math.clamp((System.nanoTime() - due) / 1_000, 0, MAX_MICROS));
  }

  private void call() {
    int number = next.incrementAndGet();
    ApiClient user = users.get(number % USERS);
    switch (number / USERS % 4) {
      case 0 -> offer = publish(user, number);
      case 1 -> anyone.get("/v1/offers/" + offer);
      case 2 -> user.get("/v1/notifications/unreadCount");
      default -> user.get("/v1/favorites?kind=SELLER");
    }
  }

  private static String publish(ApiClient seller, int number) {
    ObjectNode request = ApiClient.JSON.createObjectNode();
    ObjectNode body = request.putObject("offer");
    body.put("category", "electronics").put("title", "An ordinary phone, number " + number);
    body.putObject("price").put("amount", "10000").put("currency", "EUR");
    return seller.post("/v1/offers", request).path("id").asText();
  }

  /// The results since the last call: of ordinary calls and of health probes.
  Measured measure(Duration time) {
    Measured measured =
        new Measured(
            new LoadResult(latency.getIntervalHistogram(), failures.sumThenReset(), time),
            new LoadResult(probes.getIntervalHistogram(), probeFailures.sumThenReset(), time),
            Map.copyOf(reasons));
    reasons.clear();
    return measured;
  }

  record Measured(LoadResult calls, LoadResult probes, Map<String, Long> reasons) {}

  /// Whether a follower of the first seller is notified of an offer that is published now.
  boolean notifiesFollowers(Duration timeout) throws InterruptedException {
    ApiClient follower = anyone.loggedInAs("ordinary-follower");
    follower.follow(SELLER);
    String published = publish(users.getFirst(), next.incrementAndGet());
    long deadline = System.nanoTime() + timeout.toNanos();
    while (System.nanoTime() < deadline) {
      if (follower.get("/v1/notifications").toString().contains(published)) {
        return true;
      }
      Thread.sleep(200);
    }
    return false;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    calls.shutdownNow();
    anyone.close();
  }
}
