package dev.torg.offers.feed.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.torg.offers.FeedFormat;
import dev.torg.offers.FeedUploadRequest;
import dev.torg.offers.category.CategoryFile;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An item of a gigabyte is rejected without being held in memory.
class EndlessLineTest {
  private static final long GIGABYTE = 1L << 30;

  /// Total allocation while a feed is read, including garbage.
  private static final long MAX_ALLOCATED_BYTES = 64L << 20;

  private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void ndjson_gigabyteLine_isOneFailureAndNextLineIsRead() throws Exception {
    long before = thread.getCurrentThreadAllocatedBytes();
    FeedReader reader =
        open(
            FeedFormat.NDJSON,
            "{\"externalId\":\"1\",\"title\":\"",
            "\"}\n{\"externalId\":\"2\",\"category\":\"cars\",\"title\":\"Next\"}\n");
    assertThat(reader.next())
        .isInstanceOfSatisfying(
            FeedEntry.Invalid.class,
            invalid -> {
              assertThat(invalid.code()).isEqualTo("feed.item-too-large");
              assertThat(invalid.externalId()).isEqualTo("1");
            });
    assertThat(reader.next())
        .isInstanceOfSatisfying(
            FeedEntry.Item.class, item -> assertThat(item.externalId()).isEqualTo("2"));
    assertThat(reader.next()).isNull();
    assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(MAX_ALLOCATED_BYTES);
  }

  @Test
  void ndjson_endlessLastLine_failsFeed() {
    refused(open(FeedFormat.NDJSON, "{\"externalId\":\"1\",\"title\":\"", ""), "feed.truncated");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\""})
  void csv_gigabyteCell_failsFeed(String quote) {
    FeedReader reader = open(FeedFormat.CSV, "externalId,title\n1," + quote, quote + "\n");
    refused(reader, "feed.csv");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<yml_catalog><shop><offers><offer id='",
        "<yml_catalog><!-- ",
        "<yml_catalog><?pi ",
        "<!DOCTYPE yml_catalog [ <!ENTITY e '",
        "<"
      })
  void yml_gigabytePart_failsFeed(String start) {
    refused(open(FeedFormat.YML, start, ""), "feed.item-too-large", "feed.xml");
  }

  @Test
  void yml_gigabyteText_isOneFailureAndNextItemIsRead() throws Exception {
    long before = thread.getCurrentThreadAllocatedBytes();
    FeedReader reader =
        open(
            FeedFormat.YML,
            "<yml_catalog><shop><offers><offer id='1'><name>",
            "</name></offer><offer id='2'><name>Next</name><categoryId>cars</categoryId></offer>"
                + "</offers></shop></yml_catalog>");
    assertThat(reader.next())
        .isInstanceOfSatisfying(
            FeedEntry.Invalid.class,
            invalid -> assertThat(invalid.code()).isEqualTo("feed.item-too-large"));
    assertThat(reader.next())
        .isInstanceOfSatisfying(
            FeedEntry.Item.class, item -> assertThat(item.externalId()).isEqualTo("2"));
    assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(MAX_ALLOCATED_BYTES);
  }

  private void refused(FeedReader reader, String... codes) {
    long before = thread.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(
            () -> {
              while (reader.next() != null) {
                // Reads to the end.
              }
            })
        .isInstanceOfSatisfying(
            UnreadableFeedException.class, broken -> assertThat(codes).contains(broken.code()));
    assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(MAX_ALLOCATED_BYTES);
  }

  private static FeedReader open(FeedFormat format, String start, String end) {
    InputStream file =
        new SequenceInputStream(
            Collections.enumeration(List.of(bytes(start), new Letters(GIGABYTE), bytes(end))));
    return new FeedReaderFactory(CategoryFile.defaultTree(), CategoryMapping.NONE)
        .open(new FeedUploadRequest("user:1", 1, format, true, false), file);
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  /// A stream of very many letters.
  private static final class Letters extends InputStream {
    private long remaining;

    Letters(long count) {
      remaining = count;
    }

    @Override
    public int read() {
      return remaining-- > 0 ? 'x' : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      int count = (int) Math.min(remaining, length);
      Arrays.fill(buffer, offset, offset + count, (byte) 'x');
      remaining -= count;
      return count == 0 && length > 0 ? -1 : count;
    }
  }
}
