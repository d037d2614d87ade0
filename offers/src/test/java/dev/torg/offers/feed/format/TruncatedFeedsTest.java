package dev.torg.offers.feed.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.offers.FeedFormat;
import dev.torg.offers.FeedUploadRequest;
import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Feeds truncated at any byte are read as items or as an invalid feed, and never cause an internal error.
class TruncatedFeedsTest {
  private static final Path FEEDS = Path.of("src/test/resources/feeds");
  private static final Categories CATEGORIES = CategoryFile.defaultTree();

  @ParameterizedTest
  @ValueSource(strings = {"good.ndjson", "good.csv", "good.yml"})
  void read_truncatedAtAnyByte_returnsItemsOrInvalid(String name) throws IOException {
    byte[] feed = Files.readAllBytes(FEEDS.resolve(name));
    FeedFormat format = FeedFormat.ofFile(name.substring(name.indexOf('.') + 1));
    for (int length = 0; length < feed.length; length++) {
      isWhole(format, Arrays.copyOf(feed, length));
    }
  }

  @Test
  void yml_truncatedAtAnyByte_isUnreadable() throws IOException {
    String yml =
        "<yml_catalog><shop><offers><offer id='1'><name>Лампа, новая &amp; красная</name>"
            + "<description><![CDATA[Почти <b>новая</b>]]></description></offer>"
            + "</offers></shop></yml_catalog>";
    byte[] feed = yml.getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length < feed.length; length++) {
      assertThat(isWhole(FeedFormat.YML, Arrays.copyOf(feed, length)))
          .as("cut after %d bytes", length)
          .isFalse();
    }
    assertThat(isWhole(FeedFormat.YML, feed)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<yml_catalog><name>a&#0;b</name></yml_catalog>",
        "<yml_catalog><offer id='1'><name>&#xD800;</name></offer></yml_catalog>",
        "<?xml version='1.0' encoding='x-foo'?><yml_catalog/>"
      })
  void yml_notAFeed_isUnreadable(String yml) throws IOException {
    assertThat(isWhole(FeedFormat.YML, yml.getBytes(StandardCharsets.UTF_8))).isFalse();
  }

  private static boolean isWhole(FeedFormat format, byte[] file) throws IOException {
    FeedReader reader =
        new FeedReaderFactory(CATEGORIES, CategoryMapping.NONE)
            .open(
                new FeedUploadRequest("user:1", 1, format, true, false),
                new ByteArrayInputStream(file));
    try {
      FeedEntry entry = reader.next();
      while (entry != null) {
        entry = reader.next();
      }
      return true;
    } catch (UnreadableFeedException broken) {
      assertThat(broken.code()).doesNotContain("gzip");
      return false;
    }
  }
}
