package dev.torg.photos.image;

import dev.torg.photos.InvalidPhotoException;
import java.io.EOFException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Walks a WebP from chunk to chunk. If the sizes of canvas and image differ, the larger one counts.
final class WebpHeader {
  private static final int RIFF_HEADER = 12;
  private static final int WEBP = 0x57454250;
  private static final int EXTENDED = 0x56503858;
  private static final int LOSSY = 0x56503820;
  private static final int LOSSLESS = 0x5650384C;
  private static final int ANIMATION = 0x414E494D;
  private static final int FRAME = 0x414E4D46;
  private static final int EXIF = 0x45584946;
  private static final int ANIMATED = 0x02;
  private static final int LOSSLESS_MARK = 0x2F;
  private static final int FOURTEEN_BITS = 0x3FFF;
  private static final int MAX_EXIF_BYTES = 64 * 1024;
  private static final byte[] PREFIX = "Exif\0\0".getBytes(StandardCharsets.US_ASCII);

  /// The decoded pixels and the planes they are computed from.
  private static final int BYTES = 8;

  private final ImageBytes in;
  private int width;
  private int height;
  private boolean image;
  private Orientation orientation = Orientation.NORMAL;

  private WebpHeader(ImageBytes in) {
    this.in = in;
  }

  static ImageHeader parse(ImageBytes in) throws InvalidPhotoException, EOFException {
    WebpHeader header = new WebpHeader(in);
    header.walk();
    return new ImageHeader(
        ImageHeader.Format.WEBP, header.width, header.height, true, BYTES, header.orientation);
  }

  private void walk() throws InvalidPhotoException, EOFException {
    in.skip(Integer.BYTES);
    long end = in.uint32LittleEndian() + 2 * Integer.BYTES;
    if (in.int32() != WEBP) {
      throw ImageHeader.notAnImage();
    }
    if (end > in.length()) {
      throw ImageHeader.truncated();
    }
    while (in.at() + 2 * Integer.BYTES <= end) {
      chunk();
    }
    if (!image || in.at() < RIFF_HEADER) {
      throw ImageHeader.truncated();
    }
  }

  private void chunk() throws InvalidPhotoException, EOFException {
    int type = in.int32();
    long length = in.uint32LittleEndian();
    long end = in.at() + length + (length & 1);
    switch (type) {
      case EXTENDED -> extended();
      case LOSSY -> lossy();
      case LOSSLESS -> lossless();
      case ANIMATION, FRAME -> throw ImageHeader.animated();
      case EXIF -> exif((int) Math.min(length, MAX_EXIF_BYTES));
      default -> {}
    }
    in.skip(Math.min(end, in.length()) - in.at());
  }

  private void extended() throws InvalidPhotoException, EOFException {
    int flags = in.uint8();
    if ((flags & ANIMATED) != 0) {
      throw ImageHeader.animated();
    }
    in.skip(3);
    grow(in.uint24LittleEndian() + 1, in.uint24LittleEndian() + 1);
  }

  private void lossy() throws EOFException {
    in.skip(6);
    int across = Short.reverseBytes((short) in.uint16()) & FOURTEEN_BITS;
    int down = Short.reverseBytes((short) in.uint16()) & FOURTEEN_BITS;
    grow(across, down);
    image = true;
  }

  private void lossless() throws InvalidPhotoException, EOFException {
    if (in.uint8() != LOSSLESS_MARK) {
      throw ImageHeader.corrupt();
    }
    long bits = in.uint32LittleEndian();
    grow((int) (bits & FOURTEEN_BITS) + 1, (int) (bits >> 14 & FOURTEEN_BITS) + 1);
    image = true;
  }

  private void grow(int across, int down) {
    width = Math.max(width, across);
    height = Math.max(height, down);
  }

  private void exif(int length) {
    byte[] block = in.next(length);
    boolean prefixed =
        block.length > PREFIX.length
            && Arrays.equals(block, 0, PREFIX.length, PREFIX, 0, PREFIX.length);
    orientation =
        Orientation.ofExif(
            prefixed ? Arrays.copyOfRange(block, PREFIX.length, block.length) : block);
  }
}
