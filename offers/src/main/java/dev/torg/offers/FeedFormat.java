package dev.torg.offers;

import dev.torg.platform.Failure;
import java.util.Locale;

/// The format of a feed.
public enum FeedFormat {
  /// One JSON object per line.
  NDJSON,
  /// A header of field names, then one record per item.
  CSV,
  /// The XML format of Yandex Market.
  YML,
  /// Messages instead of a file; gRPC only.
  ITEMS;

  /// Parses the format name used in URLs and commands.
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
