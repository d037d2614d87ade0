package dev.torg.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Shows how much of a file is sent: a bar redrawn on a terminal, a plain line at intervals
/// elsewhere. Sent bytes are almost written: the server reads no faster than it writes.
final class UploadProgress {
  private static final Duration ON_TERMINAL = Duration.ofMillis(200);
  private static final Duration IN_A_LOG = Duration.ofSeconds(5);
  private static final int WIDTH = 40;
  private static final double MEGABYTE = 1 << 20;

  private final PrintWriter out;
  private final InstantSource clock;
  private final boolean terminal;
  private final long size;
  private final Instant start;
  private Instant shown;
  private long sent;

  UploadProgress(PrintWriter out, InstantSource clock, boolean terminal, long size) {
    this.out = out;
    this.clock = clock;
    this.terminal = terminal;
    this.size = size;
    this.start = clock.instant();
    this.shown = start;
  }

  /// Wraps the stream and counts what is read.
  InputStream watching(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        int next = super.read();
        sent(next < 0 ? 0 : 1);
        return next;
      }

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        sent(Math.max(0, count));
        return count;
      }
    };
  }

  synchronized void end() {
    show();
    if (terminal) {
      out.println();
    }
    out.flush();
  }

  private synchronized void sent(int bytes) {
    sent += bytes;
    if (clock.instant().isAfter(shown.plus(terminal ? ON_TERMINAL : IN_A_LOG))) {
      show();
    }
  }

  private void show() {
    shown = clock.instant();
    double share = size == 0 ? 1 : Math.min(1.0, (double) sent / size);
    double seconds = Math.max(0.001, Duration.between(start, shown).toMillis() / 1000.0);
    String line =
        "%3.0f %%  %,.1f of %,.1f MB, %,.1f MB a second"
            .formatted(share * 100, sent / MEGABYTE, size / MEGABYTE, sent / MEGABYTE / seconds);
    out.print(terminal ? "\r[" + bar(share) + "] " + line : line + System.lineSeparator());
    out.flush();
  }

  private static String bar(double share) {
    int full = (int) (share * WIDTH);
    return "#".repeat(full) + ".".repeat(WIDTH - full);
  }
}
