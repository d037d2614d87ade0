package dev.torg.platform.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import dev.torg.platform.db.CommitUnknown;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RetryThenParkTest {
  private static final String TOPIC = "letters";
  private static final ConsumerSpec SPEC =
      ConsumerSpec.of("reader", TOPIC).withAttempts(3, Duration.ofSeconds(1));

  /// The failures of an offset, one per attempt; success once it is empty.
  private final Map<Long, Deque<Throwable>> failures = new HashMap<>();

  private final List<String> calls = new ArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private final DeadLetters dead = new DeadLetters();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RetryThenPark handling =
      new RetryThenPark(SPEC, new Handler(), dead, new ConsumerMetrics(registry, SPEC));
  private int maxPauses = Integer.MAX_VALUE;

  private final class Handler implements EventHandler {
    @Override
    public void handle(List<Event> events) throws Exception {
      calls.add("together " + events.stream().map(Event::offset).toList());
      for (Event event : events) {
        failIfConfigured(event);
      }
    }

    @Override
    public void handleSingle(Event event) throws Exception {
      calls.add("alone " + event.offset());
      failIfConfigured(event);
    }

    private void failIfConfigured(Event event) throws Exception {
      Deque<Throwable> next = failures.getOrDefault(event.offset(), new ArrayDeque<>());
      if (!next.isEmpty()) {
        sneak(next.removeFirst());
      }
    }

    private void sneak(Throwable e) throws Exception {
      switch (e) {
        case Error error -> throw error;
        case Exception exception -> throw exception;
        default -> throw new AssertionError(e);
      }
    }
  }

  private static final class DeadLetters implements RetryThenPark.DeadLetters {
    private final List<String> parked = new ArrayList<>();
    private final List<Long> removed = new ArrayList<>();
    private int refusals;

    @Override
    public void park(String consumer, Event event, String reason, int attempts) {
      if (refusals-- > 0) {
        throw Failure.unavailable("database.failed", "unavailable", null);
      }
      parked.add(consumer + " " + event.offset() + " " + reason + " " + attempts);
    }

    @Override
    public void remove(ParkedEvent parkedEvent) {
      removed.add(parkedEvent.event().offset());
    }
  }

  private boolean process(long... offsets) throws InterruptedException {
    return handling.process(
        LongStream.of(offsets).mapToObj(RetryThenParkTest::event).toList(),
        time -> {
          pauses.add(time);
          return pauses.size() <= maxPauses;
        });
  }

  private void fails(long offset, int times, Throwable failure) {
    failures.put(offset, new ArrayDeque<>(Collections.nCopies(times, failure)));
  }

  private static Event event(long offset) {
    return new Event(TOPIC, 0, offset, "key", 0, new byte[0], Instant.EPOCH, false);
  }

  private double count(String name) {
    return registry.counter(name, "consumer", "reader", "topic", TOPIC).count();
  }

  @Test
  void process_nothingFails_isOneCall() throws Exception {
    assertThat(process(1, 2, 3)).isTrue();
    assertThat(calls).containsExactly("together [1, 2, 3]");
    assertThat(count("torg.consumer.handled")).isEqualTo(3);
    assertThat(pauses).isEmpty();
  }

  static Stream<Throwable> ownFailures() {
    return Stream.of(
        new IllegalStateException("bad"),
        Failure.invalid("code", "bad", "field", "bad"),
        new StackOverflowError("bad"));
  }

  /// The shared call uses up no attempt; three separate calls do.
  @ParameterizedTest
  @MethodSource("ownFailures")
  void process_oneBadEvent_isParkedAfterItsAttemptsAndTheOthersAreHandledInOrder(Throwable bad)
      throws Exception {
    fails(2, 100, bad);
    assertThat(process(1, 2, 3)).isTrue();
    assertThat(calls)
        .containsExactly(
            "together [1, 2, 3]", "alone 1", "alone 2", "alone 2", "alone 2", "alone 3");
    assertThat(dead.parked).containsExactly("reader 2 " + bad + " 3");
    assertThat(count("torg.consumer.parked")).isEqualTo(1);
    assertThat(count("torg.consumer.handled")).isEqualTo(2);
    assertThat(count("torg.consumer.retried")).isEqualTo(2);
  }

  @Test
  void process_lastAttemptSucceeds_parksNothing() throws Exception {
    fails(1, 3, new IllegalStateException("bad"));
    assertThat(process(1)).isTrue();
    assertThat(calls).containsExactly("together [1]", "alone 1", "alone 1", "alone 1");
    assertThat(dead.parked).isEmpty();
  }

  static Stream<Throwable> transientFailures() {
    return Stream.of(
        Failure.unavailable("database.failed", "unavailable", null),
        Failure.exhausted("offers.full", "full"),
        new CommitUnknown(new IllegalStateException("no answer")));
  }

  @ParameterizedTest
  @MethodSource("transientFailures")
  void process_transientFailureLongerThanAllAttempts_isWaitedFor(Throwable transientFailure)
      throws Exception {
    fails(1, 50, transientFailure);
    assertThat(process(1, 2)).isTrue();
    assertThat(dead.parked).isEmpty();
    assertThat(calls.getLast()).isEqualTo("alone 2");
    assertThat(count("torg.consumer.retried")).isEqualTo(49);
  }

  @Test
  void process_transientFailuresBetween_doNotSpendAttempts() throws Exception {
    Throwable bad = new IllegalStateException("bad");
    Throwable unavailable = Failure.unavailable("database.failed", "unavailable", null);
    failures.put(
        1L,
        new ArrayDeque<>(
            List.of(bad, unavailable, bad, unavailable, bad, unavailable, unavailable)));
    assertThat(process(1)).isTrue();
    assertThat(dead.parked).isEmpty();
    failures.put(
        1L,
        new ArrayDeque<>(List.of(bad, unavailable, bad, unavailable, bad, unavailable, bad, bad)));
    assertThat(process(1)).isTrue();
    assertThat(dead.parked).containsExactly("reader 1 " + bad + " 3");
  }

  @Test
  void process_failsRepeatedly_doublesPauseUpToTenSeconds() throws Exception {
    fails(1, 8, Failure.unavailable("database.failed", "unavailable", null));
    assertThat(process(1)).isTrue();
    assertThat(pauses.stream().map(Duration::toSeconds))
        .containsExactly(1L, 2L, 4L, 8L, 10L, 10L, 10L);
  }

  @Test
  void process_everyEvent_beginsWithTheFirstPause() throws Exception {
    fails(1, 3, new IllegalStateException("bad"));
    fails(2, 2, new IllegalStateException("bad"));
    assertThat(process(1, 2)).isTrue();
    assertThat(pauses.stream().map(Duration::toSeconds)).containsExactly(1L, 2L, 1L, 2L);
  }

  @Test
  void process_abandonedInAPause_returnsFalseAndHandlesNothingFurther() throws Exception {
    fails(1, 100, Failure.unavailable("database.failed", "unavailable", null));
    maxPauses = 2;
    assertThat(process(1, 2)).isFalse();
    assertThat(calls).containsExactly("together [1, 2]", "alone 1", "alone 1", "alone 1");
    assertThat(dead.parked).isEmpty();
  }

  @Test
  void process_interruptedInAPause_passesItOn() {
    fails(1, 100, new IllegalStateException("bad"));
    assertThatThrownBy(
            () ->
                handling.process(
                    List.of(event(1)),
                    _ -> {
                      throw new InterruptedException();
                    }))
        .isInstanceOf(InterruptedException.class);
  }

  /// The event must not be skipped: the handler is tried again before each further attempt to park
  /// it.
  @Test
  void process_cannotPark_retriesUntilItCan() throws Exception {
    fails(1, 100, new IllegalStateException("bad"));
    dead.refusals = 2;
    assertThat(process(1, 2)).isTrue();
    assertThat(dead.parked).containsExactly("reader 1 java.lang.IllegalStateException: bad 5");
    assertThat(calls.getLast()).isEqualTo("alone 2");
  }

  private static ParkedEvent parkedEvent() {
    return new ParkedEvent("reader", event(1), "bad", 3, Instant.EPOCH, true);
  }

  @Test
  void replay_handled_removesIt() {
    handling.replay(parkedEvent());
    assertThat(calls).containsExactly("alone 1");
    assertThat(dead.removed).containsExactly(1L);
    assertThat(dead.parked).isEmpty();
  }

  @Test
  void replay_failsAgain_countsOneAttempt() {
    fails(1, 1, new IllegalStateException("still bad"));
    handling.replay(parkedEvent());
    assertThat(dead.parked)
        .containsExactly("reader 1 java.lang.IllegalStateException: still bad 1");
    assertThat(dead.removed).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("transientFailures")
  void replay_transientFailure_keepsTheRequest(Throwable transientFailure) {
    fails(1, 1, transientFailure);
    handling.replay(parkedEvent());
    assertThat(dead.parked).isEmpty();
    assertThat(dead.removed).isEmpty();
  }
}
