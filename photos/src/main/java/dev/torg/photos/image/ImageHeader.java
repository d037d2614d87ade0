package dev.torg.photos.image;

import dev.torg.photos.InvalidPhotoException;
import java.io.EOFException;

/// Format, dimensions and decoding cost of a file, read without decoding it.
///
/// @param wholeAtOnce whether its decoder holds the whole image even if it is subsampled
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

  /// 50 megapixels, the largest resolution of cameras in use.
  private static final long MAX_PIXELS = 50_000_000;

  /// If the decoder holds the whole image: up to 200 MB.
  private static final long MAX_PIXELS_DECODED_WHOLE = 25_000_000;

  /// Rejects images that are extremely wide or high.
  private static final int MAX_SIDE = 30_000;

  /// The shortest beginning that identifies every format.
  private static final int MIN_FILE_BYTES = 12;

  private static final String NO_IMAGE = "not a JPEG, PNG or WebP image";

  static ImageHeader read(byte[] file) throws InvalidPhotoException {
    try {
      ImageHeader header = parse(file);
      header.requireBounded();
      return header;
    } catch (EOFException e) {
      throw truncated();
    }
  }

  static InvalidPhotoException truncated() {
    return new InvalidPhotoException("truncated", "the image is cut off");
  }

  static InvalidPhotoException corrupt() {
    return new InvalidPhotoException("corrupt", "the image is damaged");
  }

  static InvalidPhotoException animated() {
    return new InvalidPhotoException("animated", "animated images are not supported");
  }

  long pixels() {
    return (long) width * height;
  }

  private static ImageHeader parse(byte[] file) throws InvalidPhotoException, EOFException {
    ImageBytes bytes = new ImageBytes(file);
    int first = file.length < MIN_FILE_BYTES ? 0 : new ImageBytes(file).int32();
    if (first >>> 8 == 0xFFD8FF) {
      return JpegHeader.parse(bytes);
    }
    return switch (first) {
      case 0x89504E47 -> PngHeader.parse(bytes);
      case 0x52494646 -> WebpHeader.parse(bytes);
      default -> throw notAnImage();
    };
  }

  static InvalidPhotoException notAnImage() {
    return new InvalidPhotoException("not-an-image", NO_IMAGE);
  }

  private void requireBounded() throws InvalidPhotoException {
    if (width <= 0 || height <= 0) {
      throw corrupt();
    }
    long maxPixels = wholeAtOnce ? MAX_PIXELS_DECODED_WHOLE : MAX_PIXELS;
    if (pixels() > maxPixels || Math.max(width, height) > MAX_SIDE) {
      throw new InvalidPhotoException(
          "too-many-pixels",
          "%d × %d pixels are too many: at most %d megapixels, %d pixels a side"
              .formatted(width, height, maxPixels / 1_000_000, MAX_SIDE));
    }
  }
}
