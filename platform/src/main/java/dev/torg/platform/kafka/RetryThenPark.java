package dev.torg.platform.kafka;

import dev.torg.platform.Backoff;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives events to their handler as one batch; if that fails, one by one with retries; and parks an event whose
/// attempts are used up, so that a poison event never blocks its partition.
///
/// Only a failure that may be caused by the event itself uses up an attempt. A [transient failure][TransientFailures],
/// such as an unavailable database or a COMMIT whose response was lost, is retried for as long as it
/// lasts: parking valid events would reorder them behind later ones.
final class RetryThenPark {
  private static final Logger LOG = LoggerFactory.getLogger(RetryThenPark.class);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

  private final ConsumerSpec spec;
  private final EventHandler handler;
  private final DeadLetters parked;
  private final ConsumerMetrics metrics;

  RetryThenPark(
      ConsumerSpec spec, EventHandler handler, DeadLetters parked, ConsumerMetrics metrics) {
    this.spec = spec;
    this.handler = handler;
    this.parked = parked;
    this.metrics = metrics;
  }

  /// Stores the events whose attempts are used up.
  interface DeadLetters {
    /// Adds an event, or counts further attempts of one that is already parked.
    void park(String consumer, Event event, String reason, int attempts);

    void remove(ParkedEvent parked);
  }

  /// Pauses between attempts; returns false when the work is to be abandoned instead.
  @FunctionalInterface
  interface Pause {
    boolean sleep(Duration time) throws InterruptedException;
  }

  /// Whether all events were handled or parked; false when the work was abandoned.
  boolean process(List<Event> events, Pause pause) throws InterruptedException {
    try {
      handler.handle(events);
      metrics.handled(events.getFirst().topic(), events.size());
      return true;
    } catch (Exception | Error e) {
      LOG.debug("{} failed for {} events together", spec.name(), events.size(), e);
    }
    for (Event event : events) {
      if (!processSingly(event, pause)) {
        return false;
      }
    }
    return true;
  }

  private boolean processSingly(Event event, Pause pause) throws InterruptedException {
    Backoff backoff = new Backoff(spec.backoff(), MAX_PAUSE);
    int spent = 0;
    for (int tries = 1; ; tries++) {
      try {
        handler.handleSingle(event);
        metrics.handled(event.topic(), 1);
        return true;
      } catch (Exception | Error e) {
        if (TransientFailures.isTransient(e)) {
          logWaiting(event, e, tries);
        } else if (++spent >= spec.attempts() && park(event, e, spent)) {
          return true;
        }
      }
      metrics.retried(event.topic());
      if (!pause.sleep(backoff.after(tries))) {
        return false;
      }
    }
  }

  /// Logs once, after as many attempts as an event has, so that an outage does not flood the log from every partition.
  private void logWaiting(Event event, Throwable reason, int tries) {
    if (tries == spec.attempts()) {
      LOG.warn(
          "{} retries {}/{}@{} until this transient failure ends: {}",
          spec.name(),
          event.topic(),
          event.partition(),
          event.offset(),
          reason.toString());
    }
  }

  private boolean park(Event event, Throwable reason, int attempts) {
    try {
      parked.park(spec.name(), event, reason.toString(), attempts);
    } catch (RuntimeException e) {
      LOG.warn("{} cannot park an event: {}", spec.name(), e.toString());
      return false;
    }
    metrics.parked(event.topic());
    LOG.error(
        "{} parked {}/{}@{} of key {}",
        spec.name(),
        event.topic(),
        event.partition(),
        event.offset(),
        event.key(),
        reason);
    return true;
  }

  /// Handles a parked event whose replay was requested; the request stays while the failure is transient.
  void replay(ParkedEvent parkedEvent) {
    try {
      handler.handleSingle(parkedEvent.event());
      parked.remove(parkedEvent);
    } catch (Exception | Error e) {
      if (!TransientFailures.isTransient(e)) {
        parked.park(spec.name(), parkedEvent.event(), e.toString(), 1);
      }
    }
  }
}
