package dev.torg.notifications.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.notifications.campaign.RecipientLines.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecipientLinesTest {
  private static final long GIGABYTE = 1L << 30;

  @Test
  void next_stringsAndObjects_areRecipients() throws IOException {
    assertThat(
            read(
                """
                "user:1"
                {"recipient":"anon:a1"}

                {"name":{"first":["A"]},"recipient":"user:2","n":1}\r
                "user:\\u0033\"\
                """))
        .containsExactly(
            new Line.Recipient("user:1"),
            new Line.Recipient("anon:a1"),
            new Line.Recipient("user:2"),
            new Line.Recipient("user:3"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "user:1",
        "\"42\"",
        "\"service:x\"",
        "\"user:\"",
        "\"user:a b\"",
        "\"user:a\\u0000\"",
        "\"user:1",
        "\"user:1\" \"user:2\"",
        "[\"user:1\"]",
        "1",
        "null",
        "{}",
        "{\"recipient\":1}",
        "{\"recipient\":\"user:1\"",
        "{\"Recipient\":\"user:1\"}",
        "\u00ff"
      })
  void next_otherLine_isRejectedWithItsNumber(String line) throws IOException {
    List<Line> lines = read("\"user:1\"\n" + line + "\n\"user:2\"\n");
    assertThat(lines).hasSize(3);
    assertThat(lines.get(1))
        .isInstanceOfSatisfying(
            Line.Rejected.class,
            rejected -> {
              assertThat(rejected.number()).isEqualTo(2);
              assertThat(rejected.problem()).isNotEmpty().doesNotContain("user:1");
            });
    assertThat(lines.get(2)).isEqualTo(new Line.Recipient("user:2"));
  }

  @Test
  void next_lineOfAGigabyte_isSkippedWithinAFewKilobytes() throws IOException {
    InputStream file =
        new SequenceInputStream(
            new Repeated('x', GIGABYTE),
            new ByteArrayInputStream("\n\"user:2\"\n".getBytes(StandardCharsets.UTF_8)));
    RecipientLines lines = new RecipientLines(file);
    long before = allocated();
    assertThat(lines.next()).isInstanceOf(Line.Rejected.class);
    assertThat(allocated() - before).isLessThan(1 << 20);
    assertThat(lines.next()).isEqualTo(new Line.Recipient("user:2"));
    assertThat(lines.next()).isNull();
  }

  @Test
  void next_fileCutOff_failsAndDoesNotReadThePartOfALine() throws IOException {
    InputStream cut =
        new SequenceInputStream(
            new ByteArrayInputStream("\"user:1\"\n\"user:2\"".getBytes(StandardCharsets.UTF_8)),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("cut off");
              }
            });
    RecipientLines lines = new RecipientLines(cut);
    assertThat(lines.next()).isEqualTo(new Line.Recipient("user:1"));
    assertThatThrownBy(lines::next).isInstanceOf(IOException.class);
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean)
            java.lang.management.ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  private static List<Line> read(String text) throws IOException {
    RecipientLines lines =
        new RecipientLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    List<Line> all = new ArrayList<>();
    for (Line line = lines.next(); line != null; line = lines.next()) {
      all.add(line);
    }
    return all;
  }

  /// A byte, many times.
  private static final class Repeated extends InputStream {
    private final byte value;
    private long left;

    Repeated(char value, long count) {
      this.value = (byte) value;
      this.left = count;
    }

    @Override
    public int read() {
      return left-- > 0 ? value : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      if (left == 0) {
        return -1;
      }
      int count = (int) Math.min(length, left);
      Arrays.fill(buffer, offset, offset + count, value);
      left -= count;
      return count;
    }
  }
}
