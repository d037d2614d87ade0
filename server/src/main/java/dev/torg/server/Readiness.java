package dev.torg.server;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.torg.platform.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether this process can serve. The checks run in the background once a second, and more often while one
/// fails, so a request costs nothing and a flood of requests does not reach the database. A result older than
/// ten seconds means that a check hangs: not ready.
final class Readiness implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /// While a check fails a caller usually waits for it, most often during a start.
  private static final Duration SHORT_PAUSE = Duration.ofMillis(100);

  private static final Duration STALE = Duration.ofSeconds(10);

  private final List<ReadinessCheck> checks;
  private final SettableHealthChecker health = new SettableHealthChecker(false);
  private volatile Result result = new Result(List.of("starting"), System.nanoTime());
  private volatile boolean stopping;
  private volatile @Nullable Thread checker;

  private record Result(List<String> failing, long at) {}

  Readiness(List<ReadinessCheck> checks) {
    this.checks = List.copyOf(checks);
  }

  /// Returns after the first round of checks.
  void start() {
    CountDownLatch first = new CountDownLatch(1);
    checker = Thread.ofVirtual().name("torg-readiness").start(() -> run(first));
    try {
      first.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// For gRPC's health service.
  SettableHealthChecker health() {
    return health;
  }

  HttpResponse live() {
    return HttpResponse.of(MediaType.JSON_UTF_8, "{\"status\":\"UP\"}");
  }

  HttpResponse ready() {
    List<String> failing = failing();
    if (failing.isEmpty()) {
      return HttpResponse.of(MediaType.JSON_UTF_8, "{\"status\":\"UP\"}");
    }
    throw Failure.unavailable("health.not-ready", "not ready: " + String.join(", ", failing), null);
  }

  private List<String> failing() {
    Result last = result;
    if (stopping) {
      return List.of("stopping");
    }
    return System.nanoTime() - last.at() > STALE.toNanos()
        ? List.of("checks hang")
        : last.failing();
  }

  private void run(CountDownLatch first) {
    while (!stopping) {
      checkAll();
      first.countDown();
      Duration pause = result.failing().isEmpty() ? PAUSE : SHORT_PAUSE;
      LockSupport.parkNanos(pause.toNanos());
    }
    first.countDown();
  }

  private void checkAll() {
    List<String> failing = new ArrayList<>();
    for (ReadinessCheck check : checks) {
      if (!isReady(check)) {
        failing.add(check.name());
      }
    }
    logChange(failing);
    result = new Result(failing, System.nanoTime());
    health.setHealthy(failing.isEmpty() && !stopping);
  }

  /// Logged when it changes, not on every request.
  private void logChange(List<String> failing) {
    if (failing.equals(result.failing())) {
      return;
    }
    if (failing.isEmpty()) {
      LOG.info("ready");
    } else {
      LOG.warn("not ready: {}", String.join(", ", failing));
    }
  }

  private static boolean isReady(ReadinessCheck check) {
    try {
      return check.isReady().getAsBoolean();
    } catch (RuntimeException e) {
      LOG.debug("readiness check {} failed", check.name(), e);
      return false;
    }
  }

  @Override
  public void close() {
    stopping = true;
    health.setHealthy(false);
    LockSupport.unpark(checker);
  }
}
