package dev.torg.offers.photo.image;

import dev.torg.offers.photo.BadPhoto;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;

/// What a file is, read from its own bytes without decoding it.
///
/// @param wholeAtOnce its decoder holds the whole image, however little of it is wanted
/// @param bytesPerPixel of the decoded image
record ImageHeader(
    Format format,
    int width,
    int height,
    boolean wholeAtOnce,
    int bytesPerPixel,
    Orientation orientation) {

  enum Format {
    JPEG,
    PNG,
    WEBP
  }

  /// 50 megapixels, the largest that cameras in use make.
  private static final long MOST_PIXELS = 50_000_000;

  /// Where the decoder holds the whole image: up to 200 MB.
  private static final long MOST_PIXELS_AT_ONCE = 25_000_000;

  /// A pixel high and a million wide is no photo.
  private static final int LONGEST_SIDE = 30_000;

  private static final String NO_IMAGE = "not a JPEG, PNG or WebP image";

  static ImageHeader read(Path file) throws BadPhoto, IOException {
    try (FileBytes bytes = FileBytes.open(file)) {
      ImageHeader header = parse(bytes);
      header.requireBounded();
      return header;
    } catch (EOFException e) {
      throw truncated();
    }
  }

  static BadPhoto truncated() {
    return new BadPhoto("truncated", "the image is cut off");
  }

  static BadPhoto corrupt() {
    return new BadPhoto("corrupt", "the image is damaged");
  }

  static BadPhoto animated() {
    return new BadPhoto("animated", "animated images are not taken");
  }

  long pixels() {
    return (long) width * height;
  }

  private static ImageHeader parse(FileBytes bytes) throws BadPhoto, IOException {
    int first = bytes.length() < 12 ? 0 : bytes.int32();
    bytes.seek(0);
    if (first >>> 8 == 0xFFD8FF) {
      return JpegHeader.parse(bytes);
    }
    if (first == 0x89504E47) {
      return PngHeader.parse(bytes);
    }
    if (first == 0x52494646) {
      return WebpHeader.parse(bytes);
    }
    throw notAnImage();
  }

  static BadPhoto notAnImage() {
    return new BadPhoto("not-an-image", NO_IMAGE);
  }

  private void requireBounded() throws BadPhoto {
    if (width <= 0 || height <= 0) {
      throw corrupt();
    }
    long most = wholeAtOnce ? MOST_PIXELS_AT_ONCE : MOST_PIXELS;
    if (pixels() > most || Math.max(width, height) > LONGEST_SIDE) {
      throw new BadPhoto(
          "too-many-pixels",
          "%d × %d pixels are too many: at most %d megapixels, %d pixels a side"
              .formatted(width, height, most / 1_000_000, LONGEST_SIDE));
    }
  }
}
