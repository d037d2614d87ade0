package dev.torg.offers.feed.format;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.torg.api.v1.Money;
import dev.torg.offers.category.AttributeSchema;
import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryNode;
import dev.torg.platform.io.BoundedLineReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Reads one item per record. The first record names the columns: fields of an offer, `partnerId`,
/// `attr.KEY`, `photos`, addresses separated by bars, and `promote`, promotion services separated by commas
/// or bars. A price is `price` in whole units with `currency`, or `price.amount` in minor units with
/// `price.currency`. An empty cell counts as absent.
///
/// Bytes that are not valid UTF-8 are read as replacement characters, and their record is rejected; the
/// next record may be valid.
public final class CsvFeedReader implements FeedReader {
  private static final String ATTRIBUTE = "attr.";
  private static final String PROMOTE = "promote";
  private static final int MAX_COLUMNS = 1_000;

  private static final Set<String> COLUMNS =
      Set.of(
          "externalId",
          "partnerId",
          "category",
          "title",
          "description",
          "region",
          "price",
          "currency",
          "price.amount",
          "price.currency",
          "photos",
          PROMOTE);

  private final Categories categories;
  private final CsvTruncationDetector text;
  private final CloseableIterator<CsvRecord> records;
  private List<String> header = List.of();
  private List<AttributeColumn> attributes = List.of();

  private record AttributeColumn(int index, String key) {}

  public CsvFeedReader(InputStream in, Categories categories) {
    this.categories = categories;
    this.text = new CsvTruncationDetector(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.records =
        CsvReader.builder()
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .maxBufferSize(2 * FeedEntry.MAX_BYTES)
            .build(
                CsvRecordHandler.of(
                    handler ->
                        handler
                            .maxFields(MAX_COLUMNS)
                            .maxFieldSize(FeedEntry.MAX_BYTES)
                            .maxRecordSize(FeedEntry.MAX_BYTES)),
                text)
            .iterator();
  }

  @Override
  public @Nullable FeedEntry next() throws IOException, UnreadableFeedException {
    if (header.isEmpty()) {
      readHeader();
    }
    CsvRecord record = read();
    return record == null ? null : entry(record);
  }

  private void readHeader() throws IOException, UnreadableFeedException {
    CsvRecord first = read();
    if (first == null) {
      throw new UnreadableFeedException("feed.header", "the feed has no header", 1);
    }
    header = first.getFields().stream().map(String::strip).toList();
    attributes =
        IntStream.range(0, header.size())
            .filter(i -> header.get(i).startsWith(ATTRIBUTE))
            .mapToObj(i -> new AttributeColumn(i, header.get(i).substring(ATTRIBUTE.length())))
            .toList();
    Set<String> seen = new HashSet<>();
    for (String column : header) {
      boolean recognized = COLUMNS.contains(column) || column.startsWith(ATTRIBUTE);
      if (!recognized || !seen.add(column)) {
        throw new UnreadableFeedException(
            "feed.header",
            "the column '%s' is %s".formatted(column, recognized ? "there twice" : "not known"),
            1);
      }
    }
  }

  private @Nullable CsvRecord read() throws IOException, UnreadableFeedException {
    return isAtEnd() ? null : records.next();
  }

  private boolean isAtEnd() throws IOException, UnreadableFeedException {
    try {
      return !records.hasNext();
    } catch (CsvParseException e) {
      throw new UnreadableFeedException(
          "feed.csv", "not CSV, or a record is too large: " + messageOf(e), 0);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private FeedEntry entry(CsvRecord record) throws IOException, UnreadableFeedException {
    int line = (int) Math.min(Integer.MAX_VALUE, record.getStartingLineNumber());
    long fingerprint = ItemBuilder.fingerprint(String.join("\t", record.getFields()));
    String externalId = clean(externalId(record));
    refuseTruncated(record, line);
    if (record.getFieldCount() != header.size()) {
      return new FeedEntry.Invalid(line, externalId, "feed.columns", width(record), fingerprint);
    }
    if (record.getFields().stream()
        .anyMatch(field -> field.indexOf(BoundedLineReader.REPLACEMENT) >= 0)) {
      return new FeedEntry.Invalid(
          line, externalId, "feed.encoding", "the record is not UTF-8", fingerprint);
    }
    try {
      return item(record, externalId).build(line, bytes(record));
    } catch (InvalidItemException e) {
      return e.at(line, fingerprint);
    }
  }

  /// Checks the last record of a feed that may end inside it. An unclosed quote has swallowed all following
  /// items, so they are not missing from the feed. If the last line has no line break and lacks cells or
  /// ends in an incomplete character, the feed was truncated; a complete record needs no line break.
  private void refuseTruncated(CsvRecord record, int line)
      throws IOException, UnreadableFeedException {
    if (text.hasOpenQuote() && isAtEnd()) {
      throw new UnreadableFeedException(
          "feed.truncated", "a quote is opened and never closed", line);
    }
    if (text.isTruncated() && !seemsComplete(record) && isAtEnd()) {
      String reason =
          record.getFieldCount() < header.size() ? width(record) : "a character is incomplete";
      throw new UnreadableFeedException(
          "feed.truncated", "the feed ends inside a record: " + reason, line);
    }
  }

  private boolean seemsComplete(CsvRecord record) {
    String last = record.getField(record.getFieldCount() - 1);
    return record.getFieldCount() >= header.size()
        && !last.endsWith(String.valueOf(BoundedLineReader.REPLACEMENT));
  }

  private String width(CsvRecord record) {
    return "the record has %d fields and the header %d"
        .formatted(record.getFieldCount(), header.size());
  }

  /// The external id even of an invalid item, because its offer is still in the feed.
  private String externalId(CsvRecord record) {
    ItemBuilder item = named(record);
    cell(record, ATTRIBUTE + ItemBuilder.VIN).ifPresent(item::vin);
    return item.knownId();
  }

  private ItemBuilder named(CsvRecord record) {
    ItemBuilder item = new ItemBuilder();
    cell(record, "externalId").ifPresent(item.offer::setExternalId);
    cell(record, "partnerId").ifPresent(item::partnerId);
    return item;
  }

  private ItemBuilder item(CsvRecord record, String externalId) throws InvalidItemException {
    ItemBuilder item = named(record);
    cell(record, "category").ifPresent(value -> item.offer.setCategory(value.strip()));
    cell(record, "title").ifPresent(item.offer::setTitle);
    cell(record, "description").ifPresent(item.offer::setDescription);
    cell(record, "region").ifPresent(value -> item.offer.setRegion(value.strip()));
    price(record, externalId).ifPresent(item.offer::setPrice);
    for (String photo : cell(record, "photos").orElse("").split("\\|", -1)) {
      item.photo(photo);
    }
    cell(record, PROMOTE).map(PromoteField::split).ifPresent(item::promote);
    attributes(record, item);
    return item;
  }

  private void attributes(CsvRecord record, ItemBuilder item) {
    Optional<CategoryNode> category = categories.find(item.offer.getCategory());
    for (AttributeColumn column : attributes) {
      String value = record.getField(column.index());
      if (!value.isBlank()) {
        Optional<AttributeSchema> schema =
            category.map(node -> node.attributes().get(column.key()));
        item.offer.putAttributes(column.key(), AttributeValueParser.of(schema, value));
      }
    }
  }

  private Optional<Money> price(CsvRecord record, String externalId) throws InvalidItemException {
    Optional<String> major = cell(record, "price");
    Optional<String> minor = cell(record, "price.amount");
    String currency = cell(record, "currency").or(() -> cell(record, "price.currency")).orElse("");
    if (minor.isPresent()) {
      return Optional.of(minor(minor.get(), currency, externalId));
    }
    return major.isPresent()
        ? Optional.of(PriceText.of(major.get(), currency, externalId))
        : Optional.empty();
  }

  private static Money minor(String amount, String currency, String externalId)
      throws InvalidItemException {
    try {
      return Money.newBuilder()
          .setAmount(Long.parseLong(amount.strip()))
          .setCurrency(currency.strip())
          .build();
    } catch (NumberFormatException e) {
      throw new InvalidItemException(
          "feed.price", "price.amount must be a whole number of minor units", externalId);
    }
  }

  private Optional<String> cell(CsvRecord record, String column) {
    int index = header.indexOf(column);
    return index < 0 || index >= record.getFieldCount()
        ? Optional.empty()
        : Optional.of(record.getField(index)).filter(value -> !value.isBlank());
  }

  private static int bytes(CsvRecord record) {
    return record.getFields().stream().mapToInt(String::length).sum();
  }

  /// An id with replaced characters is not the shop's id and is ignored.
  private static String clean(String externalId) {
    return externalId.indexOf(BoundedLineReader.REPLACEMENT) >= 0 ? "" : externalId;
  }

  private static String messageOf(Exception e) {
    Throwable deepest = e.getCause() == null ? e : e.getCause();
    return String.valueOf(deepest.getMessage());
  }
}
