package dev.torg.photos.image;

import java.awt.geom.AffineTransform;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The orientation of the camera: EXIF tag 0x0112, with its eight values.
enum Orientation {
  NORMAL(1),
  MIRRORED(2),
  UPSIDE_DOWN(3),
  MIRRORED_UPSIDE_DOWN(4),
  MIRRORED_LEFT(5),
  RIGHT(6),
  MIRRORED_RIGHT(7),
  LEFT(8);

  private static final int TAG = 0x0112;
  private static final int SHORT = 3;
  private static final int ENTRY = 12;

  private final int number;

  Orientation(int number) {
    this.number = number;
  }

  /// Whether width and height are swapped.
  boolean swapsSides() {
    return number >= 5;
  }

  /// The transformation from the stored image to the upright one.
  AffineTransform upright(int width, int height) {
    return switch (this) {
      case NORMAL -> new AffineTransform();
      case MIRRORED -> new AffineTransform(-1, 0, 0, 1, width, 0);
      case UPSIDE_DOWN -> new AffineTransform(-1, 0, 0, -1, width, height);
      case MIRRORED_UPSIDE_DOWN -> new AffineTransform(1, 0, 0, -1, 0, height);
      case MIRRORED_LEFT -> new AffineTransform(0, 1, 1, 0, 0, 0);
      case RIGHT -> new AffineTransform(0, 1, -1, 0, height, 0);
      case MIRRORED_RIGHT -> new AffineTransform(0, -1, -1, 0, height, width);
      case LEFT -> new AffineTransform(0, -1, 1, 0, 0, width);
    };
  }

  /// Reads the first directory of a TIFF block. An unreadable block has no orientation.
  static Orientation ofExif(byte[] tiff) {
    ByteBuffer block = ByteBuffer.wrap(tiff);
    if (tiff.length < 8) {
      return NORMAL;
    }
    block.order(tiff[0] == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    int directory = block.getInt(4);
    if (directory < 8 || directory > tiff.length - 2) {
      return NORMAL;
    }
    int entries = Short.toUnsignedInt(block.getShort(directory));
    for (int i = 0; i < entries; i++) {
      int at = directory + 2 + i * ENTRY;
      if (at > tiff.length - ENTRY) {
        return NORMAL;
      }
      if (Short.toUnsignedInt(block.getShort(at)) == TAG && block.getShort(at + 2) == SHORT) {
        return of(block.getShort(at + 8));
      }
    }
    return NORMAL;
  }

  private static Orientation of(int number) {
    for (Orientation orientation : values()) {
      if (orientation.number == number) {
        return orientation;
      }
    }
    return NORMAL;
  }
}
