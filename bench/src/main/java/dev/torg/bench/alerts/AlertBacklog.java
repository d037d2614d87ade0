package dev.torg.bench.alerts;

import dev.torg.alerts.AlertTopics;
import dev.torg.bench.process.Drained;
import dev.torg.bench.process.TorgProcess;
import dev.torg.offers.OfferTopics;
import dev.torg.platform.db.Database;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Waits until every offer is matched and every alert written: the outbox is empty, the groups of alerts have
/// reached the ends of their topics, storms are finished, and no further alert is written.
final class AlertBacklog {
  /// The end of a transaction is a separate record that no group commits; those of several relays
  /// may be adjacent.
  private static final long MARKERS = 16;

  private static final Duration QUIET = Duration.ofMillis(1500);

  private AlertBacklog() {}

  /// Returns false if it took longer.
  static boolean await(TorgProcess torg, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    Drained.await(torg.running().database(), timeout);
    try (Admin admin = torg.kafka().admin();
        Database db = Database.connect("jdbc:" + torg.running().database(), 1)) {
      long notified = -1;
      while (System.nanoTime() < deadline) {
        boolean read =
            isRead(admin, "alerts.offers", OfferTopics.OFFERS, MARKERS)
                && isRead(admin, "alerts.writer", AlertTopics.NORMAL, 0)
                && isRead(admin, "alerts.writer.bulk", AlertTopics.BULK, 0)
                && isRead(admin, "alerts.writer.storm", AlertTopics.STORM, 0)
                && isWalked(db);
        long now = notifiedCount(db);
        if (read && now == notified) {
          return true;
        }
        notified = now;
        LockSupport.parkNanos(QUIET.toNanos());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot read the offsets of consumer groups from Kafka", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /// Whether no storm has anything left for an audience.
  private static boolean isWalked(Database db) {
    return db.read(
            tx ->
                tx.sql("SELECT 1 FROM storm_target WHERE last_seq > done_seq LIMIT 1")
                    .first(row -> true))
        .isEmpty();
  }

  private static long notifiedCount(Database db) {
    return db.read(
            tx ->
                tx.sql(
                        "SELECT (SELECT count(*) FROM told) + (SELECT coalesce(sum(size), 0) FROM notification)")
                    .first(row -> row.longAt(1)))
        .orElse(0L);
  }

  private static boolean isRead(Admin admin, String group, String topic, long max)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> endOffsets = new HashMap<>();
    for (TopicDescription described :
        admin.describeTopics(List.of(topic)).allTopicNames().get().values()) {
      described
          .partitions()
          .forEach(
              p -> endOffsets.put(new TopicPartition(topic, p.partition()), OffsetSpec.latest()));
    }
    Map<TopicPartition, ListOffsetsResultInfo> ends = admin.listOffsets(endOffsets).all().get();
    Map<TopicPartition, OffsetAndMetadata> read =
        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    return ends.entrySet().stream()
        .allMatch(end -> end.getValue().offset() - offset(read.get(end.getKey())) <= max);
  }

  private static long offset(@Nullable OffsetAndMetadata committed) {
    return committed == null ? 0 : committed.offset();
  }
}
