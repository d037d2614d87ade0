package dev.torg.offers.feed.format;

/// One item is invalid; the next one may be valid.
final class InvalidItemException extends Exception {
  private final String code;
  private final String externalId;

  InvalidItemException(String code, String message, String externalId) {
    super(message, null, false, false);
    this.code = code;
    this.externalId = externalId;
  }

  FeedEntry.Invalid at(int line, long fingerprint) {
    String message = getMessage();
    return new FeedEntry.Invalid(
        line, externalId, code, message == null ? code : message, fingerprint);
  }
}
