package dev.torg.photos.image;

import dev.torg.photos.InvalidPhotoException;
import java.io.EOFException;

/// Walks a PNG from chunk to chunk. Texts and profiles, which are compressed and may inflate to any size,
/// are skipped, also by the decoder, which ignores metadata.
final class PngHeader {
  private static final long SIGNATURE = 0x89504E470D0A1A0AL;
  private static final int IHDR = 0x49484452;
  private static final int IDAT = 0x49444154;
  private static final int IEND = 0x49454E44;
  private static final int EXIF = 0x65584966;
  private static final int ANIMATION = 0x6163544C;

  /// EXIF blocks are small; the orientation is at their beginning.
  private static final int MAX_EXIF_BYTES = 64 * 1024;

  private PngHeader() {}

  static ImageHeader parse(ImageBytes in) throws InvalidPhotoException, EOFException {
    long start = (long) in.int32() << 32 | Integer.toUnsignedLong(in.int32());
    int length = in.int32();
    if (start != SIGNATURE || in.int32() != IHDR || length != 13) {
      throw ImageHeader.corrupt();
    }
    int width = in.int32();
    int height = in.int32();
    int depth = in.uint8();
    in.skip(length - 9 + 4);
    Orientation orientation = chunks(in);
    int bytes = depth == 16 ? 8 : 4;
    return new ImageHeader(ImageHeader.Format.PNG, width, height, false, bytes, orientation);
  }

  /// Reads up to the end chunk, which is required.
  private static Orientation chunks(ImageBytes in) throws InvalidPhotoException, EOFException {
    Orientation orientation = Orientation.NORMAL;
    boolean data = false;
    while (true) {
      int length = in.int32();
      int type = in.int32();
      if (length < 0) {
        throw ImageHeader.corrupt();
      }
      long end = in.at() + length + 4;
      switch (type) {
        case ANIMATION -> throw ImageHeader.animated();
        case EXIF -> orientation = Orientation.ofExif(in.next(Math.min(length, MAX_EXIF_BYTES)));
        case IDAT -> data = true;
        default -> {}
      }
      in.skip(end - in.at());
      if (type == IEND) {
        if (!data) {
          throw ImageHeader.truncated();
        }
        return orientation;
      }
    }
  }
}
