package dev.torg.platform.kafka;

import dev.torg.platform.db.Database;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/// A process that handles a backlog of large events with a heap of its own, slowly enough for its buffers to
/// fill. It prints the number of different events when it has handled all of them.
final class CatchUpMain {
  private CatchUpMain() {}

  public static void main(String[] args) throws InterruptedException {
    int expected = Integer.parseInt(args[4]);
    KafkaCluster kafka = KafkaCluster.at(args[0]).withPrefix(args[1]);
    Set<String> seen = ConcurrentHashMap.newKeySet();
    CountDownLatch all = new CountDownLatch(1);
    try (Database database = Database.connect(args[2], 2);
        ConsumerLoop loop =
            new ConsumerLoop(
                kafka,
                ConsumerSpec.of("catch-up", args[3]),
                new CrossPartitionBatcher(events -> handle(events, seen, expected, all)),
                new ParkedEventStore(database, InstantSource.system()),
                new SimpleMeterRegistry())) {
      loop.start();
      all.await();
      System.out.println("HANDLED " + seen.size());
    }
  }

  /// Holds every event twice more, as a handler does that decodes it.
  private static void handle(
      List<Event> events, Set<String> seen, int expected, CountDownLatch all) {
    List<byte[]> decoded =
        events.stream().map(event -> new String(event.payload()).getBytes()).toList();
    LockSupport.parkNanos(1_000_000L * decoded.size());
    events.forEach(event -> seen.add(event.partition() + "@" + event.offset()));
    if (seen.size() >= expected) {
      all.countDown();
    }
  }
}
