package dev.torg.offers.feed.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Value;
import dev.torg.api.v1.FeedItem;
import dev.torg.offers.category.CategoryFile;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Items that consist of small values only use far more memory than bytes of the feed.
class ItemValuesTest {
  private static final int VALUES_PER_ITEM = 900;
  private static final int EXCESSIVE_VALUES = 2_000;

  @Test
  void csv_manySmallCells_countOverhead() throws Exception {
    String header = "externalId,category," + repeated(VALUES_PER_ITEM, i -> "attr.a" + i);
    String record = "1,electronics," + repeated(VALUES_PER_ITEM, _ -> "1");
    FeedEntry entry =
        new CsvFeedReader(stream(header + "\n" + record + "\n"), CategoryFile.defaultTree()).next();
    assertThat(entry).isInstanceOf(FeedEntry.Item.class);
    assertThat(entry.bytes()).isGreaterThan(100 * VALUES_PER_ITEM);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ndjson_tooManyValues_areRefusedAndTheNextLineIsRead(boolean inAList) throws Exception {
    String values =
        inAList
            ? "\"a\":[" + repeated(EXCESSIVE_VALUES, _ -> "\"\"") + "]"
            : repeated(EXCESSIVE_VALUES, i -> "\"a" + i + "\":1");
    String next = "{\"externalId\":\"2\",\"category\":\"cars\",\"title\":\"Next\"}\n";
    FeedReader reader =
        new NdjsonFeedReader(
            stream("{\"externalId\":\"1\",\"attributes\":{" + values + "}}\n" + next));
    assertThat(reader.next()).isInstanceOf(FeedEntry.Invalid.class);
    assertThat(reader.next()).isInstanceOf(FeedEntry.Item.class);
  }

  @Test
  void sentItem_withTooManyValues_isRefused() {
    FeedItem.Builder item = FeedItem.newBuilder();
    for (int i = 0; i < EXCESSIVE_VALUES; i++) {
      item.getOfferBuilder().putAttributes("a" + i, Value.newBuilder().setNumberValue(1).build());
    }
    assertThat(SentItem.entry(item.build(), 1))
        .isInstanceOfSatisfying(
            FeedEntry.Invalid.class,
            invalid -> assertThat(invalid.code()).isEqualTo("feed.item-too-large"));
  }

  private static String repeated(int count, IntFunction<String> value) {
    return IntStream.range(0, count).mapToObj(value).collect(Collectors.joining(","));
  }

  private static ByteArrayInputStream stream(String feed) {
    return new ByteArrayInputStream(feed.getBytes(StandardCharsets.UTF_8));
  }
}
