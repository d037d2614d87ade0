package dev.torg.alerts.fanout;

import dev.torg.alerts.alert.AlertTopic;
import dev.torg.platform.topics.ConsumerLoop;
import dev.torg.platform.topics.Kafka;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps large audiences and storms from holding up ordinary alerts: while those lag, no page is sent
/// and nothing of the bulk and storm topics is written; and pages are never sent far ahead of what is
/// written, so that a pause takes effect at once. Only what fan-outs themselves have sent counts for
/// that: a storm has a topic of its own and never closes this gate.
public final class BulkGate implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BulkGate.class);
  private static final Duration LOOK = Duration.ofMillis(500);

  /// Alerts on the bulk topic that may wait to be written.
  private static final long MOST_AHEAD = 10_000;

  /// Records on the storm topic that may wait to be written.
  private static final long MAX_STORM_RECORDS_AHEAD = 4_000;

  private final TopicLag normal;
  private final TopicLag bulk;
  private final TopicLag storm;
  private final long mostLag;
  private final CountDownLatch closing = new CountDownLatch(1);

  /// The names are those of the consumers of the three topics.
  public BulkGate(Kafka kafka, String writer, String bulkWriter, String stormWriter, long mostLag) {
    this.normal = new TopicLag(kafka, writer, AlertTopic.NORMAL);
    this.bulk = new TopicLag(kafka, bulkWriter, AlertTopic.BULK);
    this.storm = new TopicLag(kafka, stormWriter, AlertTopic.STORM);
    this.mostLag = mostLag;
  }

  boolean letsPagesOut() {
    return normal.now() <= mostLag && bulk.now() <= MOST_AHEAD;
  }

  /// The same for the pages of storms.
  public boolean letsStormsOut() {
    return normal.now() <= mostLag && storm.now() <= MAX_STORM_RECORDS_AHEAD;
  }

  /// Pauses and resumes these consumers in this process from now on.
  public void watch(ConsumerLoop... writers) {
    List<ConsumerLoop> all = List.of(writers);
    Thread.ofVirtual().name("alerts-bulk-gate").start(() -> keepWatching(all));
  }

  private void keepWatching(List<ConsumerLoop> writers) {
    boolean paused = false;
    while (rest()) {
      try {
        boolean lags = normal.now() > mostLag;
        if (lags && !paused) {
          LOG.info("large audiences and storms pause: ordinary alerts lag");
          writers.forEach(ConsumerLoop::pauseAll);
        } else if (!lags && paused) {
          writers.forEach(ConsumerLoop::resumeAll);
        }
        paused = lags;
      } catch (RuntimeException e) {
        LOG.debug("cannot tell the lag of alerts", e);
      }
    }
  }

  private boolean rest() {
    try {
      return !closing.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
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
