package dev.torg.offers.feed.read;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/// A line is a JSON object: the fields of an offer, `externalId`, `partnerId` and `photos`, a list of
/// addresses.
public final class NdjsonReader implements FeedReader {
  private final Lines lines;

  public NdjsonReader(InputStream in) {
    this.lines = new Lines(in);
  }

  @Override
  public @Nullable Entry next() throws IOException, BrokenFeed {
    while (lines.next()) {
      if (!lines.isBlank()) {
        return entry();
      }
    }
    return null;
  }

  private Entry entry() throws BrokenFeed {
    if (lines.isTooLong()) {
      return broken("feed.item-too-large", "the line is longer than " + Entry.MAX_BYTES + " bytes");
    }
    String text;
    try {
      text = lines.text();
    } catch (CharacterCodingException e) {
      return broken("feed.encoding", "the line is not UTF-8");
    }
    try {
      return OfferJson.read(text).build(lines.number(), lines.length());
    } catch (BadItem e) {
      refuseTruncated(String.valueOf(e.getMessage()));
      return e.at(lines.number(), lines.fingerprint());
    }
  }

  private Entry broken(String code, String message) throws BrokenFeed {
    refuseTruncated(message);
    String id = JsonLine.externalId(lines.readable());
    String known = id.indexOf(Lines.REPLACEMENT) >= 0 ? "" : id;
    return new Entry.Broken(lines.number(), known, code, message, lines.fingerprint());
  }

  /// A last line that neither ends nor is a whole object: the feed was cut off, perhaps in the middle of
  /// a character, and there may have been more.
  private void refuseTruncated(String problem) throws BrokenFeed {
    if (!lines.isTerminated() && !JsonLine.isWhole(lines.readable())) {
      throw new BrokenFeed(
          "feed.truncated", "the feed ends in the middle of a line: " + problem, lines.number());
    }
  }
}
