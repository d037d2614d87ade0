package dev.torg.platform.kafka;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gets events through their handler, whatever happens: together; else one by one, with pauses; else
/// into the table of parked events, so that a bad one stops nobody.
///
/// Only a failure that may be the event's own spends an attempt. What is the [TransientFailures]'s fault, such
/// as a database that is away or a COMMIT whose answer was lost, is tried again for as long as it
/// lasts: parking good events would put them behind those that came later.
final class RetryThenPark {
  private static final Logger LOG = LoggerFactory.getLogger(RetryThenPark.class);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

  private final ConsumerSpec spec;
  private final EventHandler handler;
  private final DeadLetters parked;
  private final ConsumerMetrics metrics;

  RetryThenPark(
      ConsumerSpec spec, EventHandler handler, DeadLetters parked, ConsumerMetrics meters) {
    this.spec = spec;
    this.handler = handler;
    this.parked = parked;
    this.metrics = meters;
  }

  /// The events that were given up.
  interface DeadLetters {
    /// Adds an event, or counts further attempts of one that is there.
    void park(String consumer, Event event, String reason, int attempts);

    void remove(ParkedEvent parked);
  }

  /// Pauses between tries; answers false when the work is to be abandoned instead.
  @FunctionalInterface
  interface Pause {
    boolean sleep(Duration time) throws InterruptedException;
  }

  /// Whether all of them are dealt with; false when it was abandoned on the way.
  boolean process(List<Event> events, Pause pause) throws InterruptedException {
    try {
      handler.handle(events);
      metrics.handled(events.getFirst().topic(), events.size());
      return true;
    } catch (Exception | Error e) {
      LOG.debug("{} failed for {} events together", spec.name(), events.size(), e);
    }
    for (Event event : events) {
      if (!processAlone(event, pause)) {
        return false;
      }
    }
    return true;
  }

  private boolean processAlone(Event event, Pause pause) throws InterruptedException {
    Duration wait = spec.backoff();
    int spent = 0;
    for (int tries = 1; ; tries++) {
      try {
        handler.handleAlone(event);
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
      if (!pause.sleep(wait)) {
        return false;
      }
      wait = longer(wait);
    }
  }

  private static Duration longer(Duration wait) {
    Duration twice = wait.multipliedBy(2);
    return twice.compareTo(MAX_PAUSE) < 0 ? twice : MAX_PAUSE;
  }

  /// Once it lasts longer than a blink; every partition would else say it again and again.
  private void logWaiting(Event event, Throwable reason, int tries) {
    if (tries == spec.attempts()) {
      LOG.warn(
          "{} waits with {}/{}@{} until this is over: {}",
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
      LOG.warn("{} cannot even park an event: {}", spec.name(), e.toString());
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

  /// Tries parked events again whose replay was asked for; stays asked for while the moment is bad.
  void replay(ParkedEvent again) {
    try {
      handler.handleAlone(again.event());
      parked.remove(again);
    } catch (Exception | Error e) {
      if (!TransientFailures.isTransient(e)) {
        parked.park(spec.name(), again.event(), e.toString(), 1);
      }
    }
  }
}
