package dev.torg.offers.feed.format;

import dev.torg.platform.io.BoundedLineReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/// Reads one JSON object per line: the fields of an offer, `externalId`, `partnerId`, `photos`, a list
/// of addresses, and `promote`, a list of promotion services.
public final class NdjsonFeedReader implements FeedReader {
  private final BoundedLineReader lines;

  public NdjsonFeedReader(InputStream in) {
    this.lines = new BoundedLineReader(in, FeedEntry.MAX_BYTES);
  }

  @Override
  public @Nullable FeedEntry next() throws IOException, UnreadableFeedException {
    while (lines.next()) {
      if (!lines.isBlank()) {
        return entry();
      }
    }
    return null;
  }

  private FeedEntry entry() throws UnreadableFeedException {
    if (lines.isTooLong()) {
      return broken(
          "feed.item-too-large", "the line is longer than " + FeedEntry.MAX_BYTES + " bytes");
    }
    String text;
    try {
      text = lines.text();
    } catch (CharacterCodingException e) {
      return broken("feed.encoding", "the line is not UTF-8");
    }
    try {
      return OfferJson.read(text).build(lines.number(), lines.length());
    } catch (InvalidItemException e) {
      refuseTruncated(String.valueOf(e.getMessage()));
      return e.at(lines.number(), fingerprint());
    }
  }

  private FeedEntry broken(String code, String message) throws UnreadableFeedException {
    refuseTruncated(message);
    String id = JsonLine.externalId(lines.readable());
    String externalId = id.indexOf(BoundedLineReader.REPLACEMENT) >= 0 ? "" : id;
    return new FeedEntry.Invalid(lines.number(), externalId, code, message, fingerprint());
  }

  /// A last line that has no line break and is not a complete object means that the feed was truncated,
  /// possibly within a character, and that further items may be missing.
  private void refuseTruncated(String problem) throws UnreadableFeedException {
    if (!lines.isTerminated() && !JsonLine.isWhole(lines.readable())) {
      throw new UnreadableFeedException(
          "feed.truncated", "the feed ends in the middle of a line: " + problem, lines.number());
    }
  }

  private long fingerprint() {
    return ItemBuilder.fingerprint(lines.bytes(), lines.length());
  }
}
