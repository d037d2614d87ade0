package dev.torg.offers.feed.format;

import dev.torg.api.v1.Offer;
import java.util.List;

/// What a feed has in one place: an item, or something that should have been one.
public sealed interface FeedEntry {
  /// The largest item in bytes as sent: an offer has at most 100 kB, and escapes take up to six times
  /// that.
  int MAX_BYTES = 1 << 20;

  /// Characters of an external id at most, as in every offer.
  int MAX_EXTERNAL_ID = 200;

  /// In the file, from 1.
  int line();

  /// Empty where it is not known.
  String externalId();

  /// How much memory it takes, roughly.
  int bytes();

  /// The external id, shortened to what can be stored.
  default String entryId() {
    return Invalid.shortened(externalId(), MAX_EXTERNAL_ID);
  }

  /// An item with its external id, which is in the content too.
  ///
  /// @param hash of all that the feed says about it; never 0
  record Item(
      int line, String externalId, Offer content, List<String> photoUrls, long hash, int bytes)
      implements FeedEntry {}

  /// What cannot be taken, and why.
  ///
  /// @param fingerprint tells it from another one at the same line of another upload
  record Invalid(int line, String externalId, String code, String message, long fingerprint)
      implements FeedEntry {
    private static final int MAX_MESSAGE = 500;

    public Invalid {
      externalId = shortened(externalId, MAX_EXTERNAL_ID);
      message = shown(message);
    }

    /// As much of a message as is kept.
    static String shown(String message) {
      return shortened(message, MAX_MESSAGE);
    }

    @Override
    public int bytes() {
      return message.length();
    }

    /// Also without what the database does not take.
    private static String shortened(String text, int length) {
      String clean = text.replace('\0', ' ');
      return clean.length() <= length ? clean : clean.substring(0, length - 1) + "…";
    }
  }
}
