package dev.torg.photos.fetch;

/// The photo cannot be fetched now, but perhaps later. The message is for the seller.
public final class HostUnreachableException extends Exception {
  private static final long serialVersionUID = 1;

  public HostUnreachableException(String message) {
    super(message, null, true, false);
  }

  public String description() {
    return String.valueOf(getMessage());
  }
}
