package dev.torg.photos.image;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The sizes made of a photo. Each fits into a square, keeps the proportions, and is never larger than the
/// original.
public enum PhotoSize {
  /// For lists and notifications.
  THUMB(240, 0.80f),
  /// For search results.
  CARD(640, 0.82f),
  /// For the offer's page.
  FULL(1600, 0.85f);

  private final int side;
  private final float quality;

  PhotoSize(int side, float quality) {
    this.side = side;
    this.quality = quality;
  }

  int side() {
    return side;
  }

  float quality() {
    return quality;
  }

  /// The name used in URLs.
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<PhotoSize> named(String key) {
    return Arrays.stream(values()).filter(size -> size.key().equals(key)).findFirst();
  }
}
