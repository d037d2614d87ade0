package dev.torg.offers.photo.fetch;

/// The photo cannot be had now; perhaps later. The message is for the seller.
public final class Unreachable extends Exception {
  private static final long serialVersionUID = 1;

  public Unreachable(String message) {
    super(message, null, true, false);
  }

  public String told() {
    return String.valueOf(getMessage());
  }
}
