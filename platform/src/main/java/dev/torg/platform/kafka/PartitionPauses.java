package dev.torg.platform.kafka;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Which partitions somebody asked to pause. Asked from any thread, heeded by the polling one.
final class PartitionPauses {
  private record Partition(String topic, int number) {}

  private final Set<Partition> paused = ConcurrentHashMap.newKeySet();
  private volatile boolean allPaused;

  void pause(String topic, int partition) {
    paused.add(new Partition(topic, partition));
  }

  void resume(String topic, int partition) {
    paused.remove(new Partition(topic, partition));
  }

  void pauseAll() {
    allPaused = true;
  }

  void resumeAll() {
    allPaused = false;
    paused.clear();
  }

  boolean isPaused(String topic, int partition) {
    return allPaused || paused.contains(new Partition(topic, partition));
  }
}
