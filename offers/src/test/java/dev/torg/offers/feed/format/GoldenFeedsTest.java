package dev.torg.offers.feed.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Value;
import dev.torg.api.v1.Offer;
import dev.torg.offers.FeedFormat;
import dev.torg.offers.FeedUploadRequest;
import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every feed in `feeds/` is read as stated in its `.expected`. `-Dtorg.feeds.accept=true` rewrites these
/// files, to be reviewed before they are committed.
class GoldenFeedsTest {
  private static final Path FEEDS = Path.of("src/test/resources/feeds");
  private static final Categories CATEGORIES = CategoryFile.defaultTree();

  static Stream<String> feeds() throws IOException {
    try (Stream<Path> files = Files.list(FEEDS)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches(".*\\.(ndjson|csv|yml)"))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("feeds")
  void feed_isReadAsExpected(String name) throws IOException {
    String read = (String.join("\n", read(name)) + "\n").replace("\ud800", "<half a pair>");
    Path expected = FEEDS.resolve(name + ".expected");
    if (Boolean.getBoolean("torg.feeds.accept")) {
      Files.writeString(expected, read);
    }
    assertThat(read).isEqualTo(Files.readString(expected));
  }

  private static List<String> read(String name) throws IOException {
    CategoryMapping mapping = CategoryMapping.read(FEEDS.resolve("categories.yaml"), CATEGORIES);
    FeedFormat format = FeedFormat.ofFile(name.substring(name.lastIndexOf('.') + 1));
    List<String> lines = new ArrayList<>();
    try (InputStream file = Files.newInputStream(FEEDS.resolve(name))) {
      FeedReader reader =
          new FeedReaderFactory(CATEGORIES, mapping)
              .open(new FeedUploadRequest("user:1", 1, format, true, false), file);
      for (FeedEntry entry = reader.next(); entry != null; entry = reader.next()) {
        lines.add(text(entry));
      }
      lines.add("end");
    } catch (UnreadableFeedException e) {
      lines.add("broken feed: line %d: %s: %s".formatted(e.line(), e.code(), e.getMessage()));
    }
    return lines;
  }

  private static String text(FeedEntry entry) {
    return switch (entry) {
      case FeedEntry.Item item ->
          "%d: %s: %s photos=%s%s"
              .formatted(
                  item.line(),
                  item.externalId(),
                  text(item.content()),
                  item.photoUrls(),
                  item.promote().map(services -> " promote=" + services).orElse(""));
      case FeedEntry.Invalid invalid ->
          "%d: %s: broken: %s: %s"
              .formatted(invalid.line(), invalid.externalId(), invalid.code(), invalid.message());
    };
  }

  private static String text(Offer offer) {
    return "category=%s title=%s description=%s price=%s region=%s attributes=%s"
        .formatted(
            offer.getCategory(),
            offer.getTitle(),
            offer.getDescription().replace("\r", "\\r").replace("\n", "\\n"),
            offer.hasPrice()
                ? offer.getPrice().getAmount() + " " + offer.getPrice().getCurrency()
                : "none",
            offer.getRegion(),
            attributes(offer));
  }

  private static String attributes(Offer offer) {
    TreeMap<String, String> attributes = new TreeMap<>();
    offer.getAttributesMap().forEach((key, value) -> attributes.put(key, text(value)));
    return attributes.toString();
  }

  private static String text(Value value) {
    return value.toString().strip().replace('\n', ' ');
  }
}
