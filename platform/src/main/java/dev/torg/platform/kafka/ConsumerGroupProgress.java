package dev.torg.platform.kafka;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/// The time of the last event that a group has handled, in any process and partition, according to its commits:
/// until then at least one member was running. Blocks.
public final class ConsumerGroupProgress {
  private static final long REQUEST_TIMEOUT_SECONDS = 10;

  private ConsumerGroupProgress() {}

  public static Optional<Instant> lastHandledAt(KafkaCluster kafka, String group) {
    try (Admin admin = kafka.admin()) {
      return admin
          .listConsumerGroupOffsets(kafka.clusterName(group))
          .partitionsToOffsetAndMetadata()
          .get(REQUEST_TIMEOUT_SECONDS, TimeUnit.SECONDS)
          .values()
          .stream()
          .flatMap(committed -> CommittedPosition.of(committed).lastHandled().stream())
          .max(Instant::compareTo);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(
          "cannot read the offsets of group " + group + " from Kafka", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
