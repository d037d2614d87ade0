package dev.torg.offers.photo.image;

import dev.torg.offers.photo.BadPhoto;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/// Walks a PNG from chunk to chunk. Besides it copies the file without what is not needed for its
/// pixels: texts and profiles are compressed and may inflate to anything.
final class PngHeader {
  private static final long SIGNATURE = 0x89504E470D0A1A0AL;
  private static final int IHDR = 0x49484452;
  private static final int PLTE = 0x504C5445;
  private static final int TRNS = 0x74524E53;
  private static final int IDAT = 0x49444154;
  private static final int IEND = 0x49454E44;
  private static final int EXIF = 0x65584966;
  private static final int ANIMATION = 0x6163544C;
  private static final Set<Integer> NEEDED = Set.of(IHDR, PLTE, TRNS, IDAT, IEND);

  /// A chunk's length, type and checksum.
  private static final int FRAME = 12;

  /// EXIF blocks are small; the orientation is at their beginning.
  private static final int MOST_EXIF = 64 * 1024;

  private PngHeader() {}

  static ImageHeader parse(FileBytes in) throws BadPhoto, IOException {
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

  /// Goes to the end, which must be there.
  private static Orientation chunks(FileBytes in) throws BadPhoto, IOException {
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
        case EXIF -> orientation = Orientation.ofExif(in.bytes(Math.min(length, MOST_EXIF)));
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

  /// Copies signature and needed chunks of a file whose header has been read.
  static void copyNeeded(Path from, Path to) throws IOException {
    try (FileBytes in = FileBytes.open(from);
        DataOutputStream out = new DataOutputStream(Files.newOutputStream(to))) {
      out.write(in.bytes(Long.BYTES));
      int type;
      do {
        int length = in.int32();
        type = in.int32();
        if (NEEDED.contains(type)) {
          out.writeInt(length);
          out.writeInt(type);
          out.write(in.bytes(length + FRAME - 2 * Integer.BYTES));
        } else {
          in.skip(length + (long) FRAME - 2 * Integer.BYTES);
        }
      } while (type != IEND);
    }
  }
}
