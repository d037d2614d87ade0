package dev.torg.platform.lease;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// One kind of work, and the runners of its groups in this process.
final class HeldLeases {
  private final String name;
  private final LeasedWork work;
  private final Map<Integer, LeaseRunner> runners = new ConcurrentHashMap<>();

  HeldLeases(String name, LeasedWork work) {
    this.name = name;
    this.work = work;
  }

  String name() {
    return name;
  }

  List<Lease> held() {
    return runners.values().stream().map(LeaseRunner::lease).filter(Lease::isValid).toList();
  }

  /// Includes groups in their last step, which must not be started again.
  Set<Integer> groups() {
    return Set.copyOf(runners.keySet());
  }

  void begin(Lease lease, Consumer<Lease> onEnd) {
    LeaseRunner runner =
        new LeaseRunner(
            lease,
            work,
            ended -> {
              runners.remove(ended.group());
              onEnd.accept(ended);
            });
    runners.put(lease.group(), runner);
    runner.start();
  }

  void releaseAbove(int share) {
    List<Lease> held = held();
    held.stream()
        .sorted(Comparator.comparing(Lease::group).reversed())
        .limit(Math.max(0, held.size() - share))
        .forEach(Lease::end);
  }

  /// Starts no further step.
  void end() {
    runners.values().forEach(runner -> runner.lease().end());
  }

  void awaitEnd() {
    List.copyOf(runners.values()).forEach(LeaseRunner::awaitEnd);
  }
}
