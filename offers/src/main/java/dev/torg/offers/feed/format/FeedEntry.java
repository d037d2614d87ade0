package dev.torg.offers.feed.format;

import dev.torg.api.v1.Offer;
import java.util.List;
import java.util.Optional;

/// One entry of a feed: an item, or something that could not be read as one.
public sealed interface FeedEntry {
  /// Maximum size of an item as sent, in bytes: an offer has at most 100 kB, and escapes enlarge it up to
  /// six times.
  int MAX_BYTES = 1 << 20;

  /// Maximum length of an external id, as in every offer.
  int MAX_EXTERNAL_ID = 200;

  /// The line in the file, from 1.
  int line();

  /// Empty if unknown.
  String externalId();

  /// The approximate memory use in bytes.
  int bytes();

  /// The external id, shortened so that it can be stored.
  default String entryId() {
    return Invalid.shortened(externalId(), MAX_EXTERNAL_ID);
  }

  /// An item with its external id, which is in the content too.
  ///
  /// @param hash of everything that the feed states about the offer; never 0
  /// @param promote the promotion services that the item asks for; empty if it says nothing about them
  record Item(
      int line,
      String externalId,
      Offer content,
      List<String> photoUrls,
      Optional<List<String>> promote,
      long hash,
      int bytes)
      implements FeedEntry {}

  /// An entry that is rejected, and the reason.
  ///
  /// @param fingerprint distinguishes it from an entry at the same line of another upload
  record Invalid(int line, String externalId, String code, String message, long fingerprint)
      implements FeedEntry {
    private static final int MAX_MESSAGE = 500;

    public Invalid {
      externalId = shortened(externalId, MAX_EXTERNAL_ID);
      message = shown(message);
    }

    /// The message, shortened so that it can be stored.
    static String shown(String message) {
      return shortened(message, MAX_MESSAGE);
    }

    @Override
    public int bytes() {
      return message.length();
    }

    /// Also removes characters that the database rejects.
    private static String shortened(String text, int length) {
      String clean = text.replace('\0', ' ');
      return clean.length() <= length ? clean : clean.substring(0, length - 1) + "…";
    }
  }
}
