package dev.torg.offers.feed.read;

/// One item cannot be read; the next one may be fine.
final class BadItem extends Exception {
  private final String code;
  private final String externalId;

  BadItem(String code, String message, String externalId) {
    super(message, null, false, false);
    this.code = code;
    this.externalId = externalId;
  }

  Entry.Broken at(int line, long fingerprint) {
    String message = getMessage();
    return new Entry.Broken(line, externalId, code, message == null ? code : message, fingerprint);
  }
}
