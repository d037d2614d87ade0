package dev.torg.offers;

import dev.torg.platform.Failure;
import java.util.Locale;

/// How a feed is written.
public enum FeedFormat {
  /// A JSON object a line.
  NDJSON,
  /// A header of field names, then a record an item.
  CSV,
  /// The XML of Yandex Market.
  YML,
  /// Messages instead of a file: gRPC only.
  ITEMS;

  /// The format of a file by its name in addresses and commands.
  public static FeedFormat ofFile(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "ndjson" -> NDJSON;
      case "csv" -> CSV;
      case "yml" -> YML;
      default ->
          throw Failure.invalid(
              "feed.format", "bad format", "format", "must be ndjson, csv or yml");
    };
  }
}
