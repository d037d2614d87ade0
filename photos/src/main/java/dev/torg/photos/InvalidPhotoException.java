package dev.torg.photos;

/// The photo can never be prepared. The message is for the seller; the reason is a tag for metrics.
public final class InvalidPhotoException extends Exception {
  private static final long serialVersionUID = 1;

  private final String reason;

  public InvalidPhotoException(String reason, String message) {
    super(message, null, true, false);
    this.reason = reason;
  }

  public String reason() {
    return reason;
  }

  public String description() {
    return String.valueOf(getMessage());
  }
}
