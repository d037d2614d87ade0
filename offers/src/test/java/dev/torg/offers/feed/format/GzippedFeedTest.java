package dev.torg.offers.feed.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.offers.FeedFormat;
import dev.torg.offers.FeedUploadRequest;
import dev.torg.offers.category.CategoryFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// A truncated gzip file is never mistaken for a complete one.
class GzippedFeedTest {
  private final List<String> read = new ArrayList<>();

  @Test
  void members_concatenated_areOneFeed() throws Exception {
    readAll(arriving(bytes(gzip(item("a"))), bytes(gzip(item("b")))));
    assertThat(read).containsExactly("a", "b");
  }

  @Test
  void senderDisconnects_betweenMembers_isTransportError() {
    assertThatThrownBy(
            () -> readAll(arriving(bytes(gzip(item("a"))), new ClosedConnectionException())))
        .isInstanceOf(IOException.class)
        .hasRootCauseMessage("gone");
  }

  @Test
  void member_truncated_failsFeed() {
    byte[] second = gzip(item("b"));
    for (int length : new int[] {1, 5, 12, second.length - 8, second.length - 1}) {
      InputStream truncated = bytes(Arrays.copyOf(second, length));
      assertBroken(arriving(bytes(gzip(item("a"))), truncated));
    }
    assertBroken(bytes(Arrays.copyOf(second, second.length - 3)));
  }

  @Test
  void trailingBytes_afterMember_failFeed() {
    assertBroken(
        arriving(bytes(gzip(item("a"))), bytes("else".repeat(9).getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void corruptMember_failsFeed() {
    byte[] damaged = gzip(item("a"));
    damaged[damaged.length - 6] ^= 1;
    assertBroken(bytes(damaged));
  }

  /// A gigabyte of blank lines is a megabyte of gzip.
  @Test
  void blankLines_compressed_failFeed() throws Exception {
    byte[] blank = gzip("\n".repeat(1 << 20));
    List<InputStream> members = new ArrayList<>();
    for (int i = 0; i < 1024; i++) {
      members.add(bytes(blank));
    }
    assertThatThrownBy(() -> readAll(arriving(members.toArray(InputStream[]::new))))
        .isInstanceOfSatisfying(
            UnreadableFeedException.class,
            broken -> assertThat(broken.code()).isEqualTo("feed.no-items"));
    assertThat(members.getFirst().available()).isZero();
    assertThat(members.getLast().available()).isEqualTo(blank.length);
  }

  @Test
  void blankLines_betweenItems_areSkipped() throws Exception {
    byte[] blank = gzip("\n".repeat(40 << 20));
    readAll(arriving(bytes(blank), bytes(gzip(item("a"))), bytes(blank), bytes(gzip(item("b")))));
    assertThat(read).containsExactly("a", "b");
  }

  @Test
  void file_takesTooLong_isInterrupted() {
    AtomicLong nanos = new AtomicLong();
    FeedReader reader =
        new FeedReaderFactory(
                CategoryFile.defaultTree(),
                CategoryMapping.NONE,
                Duration.ofHours(1),
                () -> nanos.addAndGet(Duration.ofMinutes(10).toNanos()))
            .open(
                new FeedUploadRequest("user:1", 1, FeedFormat.NDJSON, true, false),
                bytes("\n".repeat(1 << 20).getBytes(StandardCharsets.UTF_8)));
    assertThatThrownBy(reader::next)
        .isInstanceOf(IOException.class)
        .hasRootCauseMessage("the upload took longer than PT1H");
  }

  @Test
  void gzipFileName_endless_failsFeed() {
    byte[] head = {0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, 0};
    InputStream name = bytes("A".repeat(3 << 20).getBytes(StandardCharsets.UTF_8));
    assertBroken(arriving(bytes(head), name, new ClosedConnectionException()));
    assertBroken(
        arriving(bytes(gzip(item("a"))), bytes(head), name, new ClosedConnectionException()));
  }

  private void assertBroken(InputStream file) {
    assertThatThrownBy(() -> readAll(file))
        .isInstanceOfSatisfying(
            UnreadableFeedException.class,
            broken -> assertThat(broken.code()).isEqualTo("feed.gzip"));
  }

  private void readAll(InputStream file) throws IOException, UnreadableFeedException {
    FeedReader reader =
        new FeedReaderFactory(CategoryFile.defaultTree(), CategoryMapping.NONE)
            .open(new FeedUploadRequest("user:1", 1, FeedFormat.NDJSON, true, false), file);
    read.clear();
    for (FeedEntry entry = reader.next(); entry != null; entry = reader.next()) {
      read.add(entry.externalId());
    }
  }

  /// A piece becomes available only after the previous one is read.
  private static InputStream arriving(InputStream... pieces) {
    return new SequenceInputStream(Collections.enumeration(List.of(pieces)));
  }

  private static InputStream bytes(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  private static String item(String externalId) {
    return "{\"externalId\":\"%s\",\"category\":\"cars\",\"title\":\"Golf\"}\n"
        .formatted(externalId);
  }

  private static byte[] gzip(String text) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  /// A sender that disconnected.
  private static final class ClosedConnectionException extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("gone");
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      throw new IOException("gone");
    }
  }
}
