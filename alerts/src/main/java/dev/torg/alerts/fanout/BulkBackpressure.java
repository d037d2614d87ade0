package dev.torg.alerts.fanout;

import dev.torg.alerts.AlertTopics;
import dev.torg.platform.kafka.ConsumerGroupLag;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.platform.kafka.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Prevents large audiences and storms from delaying ordinary alerts. While those lag, no page is sent
/// and nothing of the bulk and storm topics is delivered. Pages are never sent far ahead of delivery, so
/// that a pause takes effect at once. Fan-outs count their own records only: a storm has its own topic
/// and does not stop them.
public final class BulkBackpressure implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BulkBackpressure.class);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  /// Undelivered alerts on the bulk topic.
  private static final long MAX_BULK_ALERTS_AHEAD = 10_000;

  /// Undelivered records on the storm topic.
  private static final long MAX_STORM_RECORDS_AHEAD = 4_000;

  private final ConsumerGroupLag normal;
  private final ConsumerGroupLag bulk;
  private final ConsumerGroupLag storm;
  private final long maxLag;
  private final CountDownLatch closing = new CountDownLatch(1);

  /// The names are the consumer groups of the three topics.
  public BulkBackpressure(
      KafkaCluster kafka, String writer, String bulkWriter, String stormWriter, long maxLag) {
    this.normal = new ConsumerGroupLag(kafka, writer, AlertTopics.NORMAL);
    this.bulk = new ConsumerGroupLag(kafka, bulkWriter, AlertTopics.BULK);
    this.storm = new ConsumerGroupLag(kafka, stormWriter, AlertTopics.STORM);
    this.maxLag = maxLag;
  }

  boolean allowsBulk() {
    return normal.now() <= maxLag && bulk.now() <= MAX_BULK_ALERTS_AHEAD;
  }

  /// The same for pages of storms.
  public boolean allowsStorms() {
    return normal.now() <= maxLag && storm.now() <= MAX_STORM_RECORDS_AHEAD;
  }

  /// Pauses and resumes these consumers of this process from now on.
  public void control(ConsumerLoop... writers) {
    List<ConsumerLoop> all = List.of(writers);
    Thread.ofVirtual().name("alerts-bulk-gate").start(() -> pollLag(all));
  }

  private void pollLag(List<ConsumerLoop> writers) {
    boolean paused = false;
    while (sleep()) {
      try {
        boolean lags = normal.now() > maxLag;
        if (lags && !paused) {
          LOG.info("large audiences and storms pause: ordinary alerts lag");
          writers.forEach(ConsumerLoop::pauseAll);
        } else if (!lags && paused) {
          writers.forEach(ConsumerLoop::resumeAll);
        }
        paused = lags;
      } catch (RuntimeException e) {
        LOG.debug("cannot read the lag of alerts", e);
      }
    }
  }

  private boolean sleep() {
    try {
      return !closing.await(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Override
  public void close() {
    closing.countDown();
    normal.close();
    bulk.close();
    storm.close();
  }
}
