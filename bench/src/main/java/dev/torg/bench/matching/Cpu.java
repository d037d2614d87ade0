package dev.torg.bench.matching;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/// Processor time of the calling thread: on a shared machine a more stable measure than elapsed
/// time.
final class Cpu {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Cpu() {}

  static long ofThread() {
    return THREADS.getCurrentThreadCpuTime();
  }
}
