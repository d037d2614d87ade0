package dev.torg.notifications.channel;

/// An image, a video or a file that a message refers to.
///
/// @param preview the address of an image that represents it; empty: none
public record MessageAttachment(Kind kind, String url, String preview) {
  /// What the address leads to.
  public enum Kind {
    IMAGE,
    VIDEO,
    FILE
  }
}
