package dev.torg.offers.feed;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// The recent CPU load of the machine, of all processes.
final class CpuLoad {
  private static final long WINDOW_NANOS = Duration.ofMillis(100).toNanos();

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private long nextSample = System.nanoTime();
  private double load;

  /// From 0 to 1, over the last window.
  synchronized double load() {
    long now = System.nanoTime();
    if (now - nextSample >= 0) {
      load = system.getCpuLoad();
      nextSample = now + WINDOW_NANOS;
    }
    return load;
  }
}
