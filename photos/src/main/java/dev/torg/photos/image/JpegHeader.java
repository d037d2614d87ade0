package dev.torg.photos.image;

import dev.torg.photos.InvalidPhotoException;
import java.io.EOFException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Walks a JPEG from marker to marker up to its end.
///
/// The size is in the frame's header (SOF). An image in several scans, progressive or with separate
/// channels, is held as a whole by the decoder, which applies each scan to all of it: a small file can
/// contain hundreds of thousands of scans, so they are counted. An image without an end marker is
/// truncated; the decoder would fill the rest with grey.
final class JpegHeader {
  /// Encoders produce about ten.
  private static final int MAX_SCANS = 100;

  private static final byte[] EXIF = "Exif\0\0".getBytes(StandardCharsets.US_ASCII);

  private static final int SOI = 0xD8;
  private static final int EOI = 0xD9;
  private static final int SOS = 0xDA;
  private static final int APP1 = 0xE1;
  private static final int SOF0 = 0xC0;
  private static final int PROGRESSIVE = 0xC2;

  /// One coefficient per sample and channel, in addition to the decoded bytes.
  private static final int BYTES = 3;

  private final ImageBytes in;
  private Orientation orientation = Orientation.NORMAL;
  private int width;
  private int height;
  private int channels;
  private boolean inScans;
  private int scans;

  private JpegHeader(ImageBytes in) {
    this.in = in;
  }

  static ImageHeader parse(ImageBytes in) throws InvalidPhotoException, EOFException {
    JpegHeader header = new JpegHeader(in);
    header.walk();
    return new ImageHeader(
        ImageHeader.Format.JPEG,
        header.width,
        header.height,
        header.inScans,
        BYTES,
        header.orientation);
  }

  private void walk() throws InvalidPhotoException, EOFException {
    in.skip(2);
    int marker = marker();
    while (marker != EOI) {
      if (marker == SOS) {
        countScan();
        marker = scan();
      } else {
        segment(marker);
        marker = marker();
      }
    }
    if (scans == 0) {
      throw ImageHeader.truncated();
    }
  }

  private int marker() throws InvalidPhotoException, EOFException {
    if (in.uint8() != 0xFF) {
      throw ImageHeader.corrupt();
    }
    int marker = in.uint8();
    while (marker == 0xFF) {
      marker = in.uint8();
    }
    return marker;
  }

  private void countScan() throws InvalidPhotoException {
    if (width == 0) {
      throw ImageHeader.corrupt();
    }
    if (++scans > MAX_SCANS) {
      throw new InvalidPhotoException(
          "too-many-scans", "the JPEG has more than " + MAX_SCANS + " scans");
    }
  }

  /// Skips the scan's data up to the next marker. In the data, a byte 0xFF is followed by 0 unless it
  /// begins a marker.
  private int scan() throws EOFException {
    int length = segmentLength();
    inScans |= scans > 1 || in.uint8() < channels;
    in.skip(length - 1);
    while (true) {
      if (in.uint8() == 0xFF) {
        int next = in.uint8();
        while (next == 0xFF) {
          next = in.uint8();
        }
        boolean restart = next >= 0xD0 && next < SOI;
        if (next != 0 && !restart) {
          return next;
        }
      }
    }
  }

  private int segmentLength() throws EOFException {
    int length = in.uint16() - 2;
    if (length < 0) {
      throw new EOFException();
    }
    return length;
  }

  private void segment(int marker) throws InvalidPhotoException, EOFException {
    if (marker == 1 || (marker >= 0xD0 && marker <= SOI)) {
      return;
    }
    int length = segmentLength();
    long end = in.at() + length;
    if (isFrame(marker)) {
      frame(marker);
    } else if (marker == APP1 && orientation == Orientation.NORMAL) {
      exif(length);
    }
    in.skip(end - in.at());
  }

  /// The SOF markers; DHT, JPG and DAC are in the same range.
  private static boolean isFrame(int marker) {
    return marker >= SOF0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
  }

  private void frame(int marker) throws InvalidPhotoException, EOFException {
    boolean first = width == 0;
    int precision = in.uint8();
    height = in.uint16();
    width = in.uint16();
    channels = in.uint8();
    inScans = marker == PROGRESSIVE;
    if (!first || width == 0 || height == 0) {
      throw ImageHeader.corrupt();
    }
    if (marker > PROGRESSIVE || precision != 8) {
      throw new InvalidPhotoException(
          "unsupported", "this kind of JPEG (lossless, arithmetic or 12 bits) is not supported");
    }
  }

  private void exif(int length) {
    byte[] segment = in.next(length);
    if (segment.length > EXIF.length
        && Arrays.equals(segment, 0, EXIF.length, EXIF, 0, EXIF.length)) {
      orientation = Orientation.ofExif(Arrays.copyOfRange(segment, EXIF.length, segment.length));
    }
  }
}
