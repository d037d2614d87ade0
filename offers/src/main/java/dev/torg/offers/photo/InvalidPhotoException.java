package dev.torg.offers.photo;

/// A photo that will never be one, whoever tries again. The message is for the seller; the reason is a
/// word for metrics.
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
