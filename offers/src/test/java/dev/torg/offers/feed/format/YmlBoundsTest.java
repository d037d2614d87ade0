package dev.torg.offers.feed.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.offers.FeedFormat;
import dev.torg.offers.FeedUploadRequest;
import dev.torg.offers.category.CategoryFile;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A feed of many small parts uses no more memory than one of few large ones.
class YmlBoundsTest {
  private static final String START = "<yml_catalog><shop><offers>";
  private static final String END =
      "<offer id='next'><name>Next</name><categoryId>cars</categoryId></offer>"
          + "</offers></shop></yml_catalog>";

  @Test
  void elements_endless_areOneFailureAndNextItemIsRead() throws Exception {
    assertTooLarge(feed(100_000, _ -> "<picture/>", START + "<offer id='1'>", "</offer>" + END));
  }

  @Test
  void paramNames_endless_areOneFailure() throws Exception {
    String name = "n".repeat(1_000);
    assertTooLarge(
        feed(
            2_000,
            i -> "<param name='" + name + i + "'/>",
            START + "<offer id='1'>",
            "</offer>" + END));
  }

  @Test
  void unboundedElementNames_failFeed() {
    assertRefused(
        feed(10_000, i -> "<offer id='" + i + "'><a" + i + "/></offer>", START, END), "feed.names");
  }

  @Test
  void unboundedAttributeNames_failFeed() {
    assertRefused(
        feed(10_000, i -> "<offer id='1'><name a" + i + "=''/></offer>", START, END), "feed.names");
  }

  @Test
  void unboundedNames_insideText_failFeed() {
    assertRefused(
        feed(
            10_000,
            i -> "<b" + i + "/><?c" + i + " ?>",
            START + "<offer id='1'><description>",
            "</description></offer>" + END),
        "feed.names");
  }

  @Test
  void unboundedNamespaces_failFeed() {
    assertRefused(feed(10_000, i -> "<x xmlns:p" + i + "='u'/>", START, END), "feed.names");
  }

  @Test
  void unknownEntities_outsideOffers_failFeed() {
    assertRefused(feed(10_000, i -> "&p" + i + ";", START, END), "feed.names");
  }

  @Test
  void categories_longNames_failFeed() {
    String name = "n".repeat(1_000);
    assertRefused(
        feed(
            20_000,
            i -> "<category id='" + i + "'>" + name + "</category>",
            "<yml_catalog><shop><categories>",
            "</categories><offers>" + END),
        "feed.categories");
  }

  private static void assertTooLarge(FeedReader reader) throws Exception {
    assertThat(reader.next())
        .isInstanceOfSatisfying(
            FeedEntry.Invalid.class,
            invalid -> assertThat(invalid.code()).isEqualTo("feed.item-too-large"));
    assertThat(reader.next()).isInstanceOf(FeedEntry.Item.class);
    assertThat(reader.next()).isNull();
  }

  private static void assertRefused(FeedReader reader, String code) {
    assertThatThrownBy(
            () -> {
              while (reader.next() != null) {
                // Reads to the end.
              }
            })
        .isInstanceOfSatisfying(
            UnreadableFeedException.class, broken -> assertThat(broken.code()).isEqualTo(code));
  }

  private static FeedReader feed(int count, IntFunction<String> piece, String start, String end) {
    String file =
        IntStream.range(0, count).mapToObj(piece).collect(Collectors.joining("", start, end));
    return new FeedReaderFactory(CategoryFile.defaultTree(), CategoryMapping.NONE)
        .open(
            new FeedUploadRequest("user:1", 1, FeedFormat.YML, true, false),
            new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)));
  }
}
