package dev.torg.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// Shows the progress of long work: one line redrawn on a terminal, a plain line at intervals
/// elsewhere.
final class Progress {
  private static final Duration ON_TERMINAL = Duration.ofMillis(200);
  private static final Duration IN_A_LOG = Duration.ofSeconds(5);

  private final PrintWriter out;
  private final InstantSource clock;
  private final boolean terminal;
  private final Instant start;
  private final AtomicLong done = new AtomicLong();
  private Instant shown;

  Progress(PrintWriter out, InstantSource clock, boolean terminal) {
    this.out = out;
    this.clock = clock;
    this.terminal = terminal;
    this.start = clock.instant();
    this.shown = start;
  }

  void step() {
    long count = done.incrementAndGet();
    if (count % 64 == 0) {
      showNowAndThen();
    }
  }

  void end() {
    show();
    if (terminal) {
      out.println();
    }
    out.flush();
  }

  private synchronized void showNowAndThen() {
    if (clock.instant().isAfter(shown.plus(terminal ? ON_TERMINAL : IN_A_LOG))) {
      show();
    }
  }

  private synchronized void show() {
    shown = clock.instant();
    double seconds = Math.max(0.001, Duration.between(start, shown).toMillis() / 1000.0);
    String line = "%,d done, %,.0f a second".formatted(done.get(), done.get() / seconds);
    out.print(terminal ? "\r" + line : line + System.lineSeparator());
    out.flush();
  }
}
