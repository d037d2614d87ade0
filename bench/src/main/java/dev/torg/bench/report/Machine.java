package dev.torg.bench.report;

import java.lang.management.ManagementFactory;

/// The machine a figure was measured on, as far as a reader needs it: cores, memory, Java.
final class Machine {
  private Machine() {}

  static String describe() {
    return "%d cores, %d GiB memory, Java %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(), memoryGib(), Runtime.version().feature());
  }

  private static long memoryGib() {
    var system =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    return Math.round(system.getTotalMemorySize() / (double) (1L << 30));
  }
}
