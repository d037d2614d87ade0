package dev.torg.alerts.text;

/// What a seller is notified of. The number is stored.
public enum SellerNoticeKind {
  OFFER_BANNED(1),
  OFFER_UNBANNED(2),
  OFFER_EXPIRES_SOON(3),
  OFFER_EXPIRED(4),
  PHOTOS_FAILED(5),
  FEED_FINISHED(6),
  /// Stopped by a guard, or failed.
  FEED_STOPPED(7);

  private final int number;

  SellerNoticeKind(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  public boolean isOfFeed() {
    return this == FEED_FINISHED || this == FEED_STOPPED;
  }

  public static SellerNoticeKind ofNumber(int number) {
    return values()[number - 1];
  }
}
