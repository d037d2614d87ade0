package dev.torg.photos.image;

import com.twelvemonkeys.imageio.stream.ByteArrayImageInputStream;
import dev.torg.photos.InvalidPhotoException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.spi.IIORegistry;
import javax.imageio.spi.ImageReaderSpi;
import javax.imageio.stream.ImageInputStream;

/// Decodes a file with a validated header to at most 16 megapixels. The file is held in memory: decoders
/// read byte by byte, and the JDK's file streams make a system call for each byte.
final class Decode {
  /// Larger images are subsampled while decoding. The result is still more than twice the largest size.
  static final long MAX_DECODED_PIXELS = 16_000_000;

  private static final int WEBP_PADDING_BYTES = 64;

  private Decode() {}

  static BufferedImage run(byte[] file, ImageHeader header)
      throws InvalidPhotoException, IOException {
    ImageReader reader = provider(header.format()).createReaderInstance();
    try (ImageInputStream in = new ByteArrayImageInputStream(padded(file, header.format()))) {
      return read(reader, in, step(header));
    } catch (IOException | RuntimeException e) {
      throw ImageHeader.corrupt();
    } finally {
      reader.dispose();
    }
  }

  /// The WebP decoder reads some bytes ahead and throws an exception per pixel if they are missing: a file
  /// of thirty bytes would keep it busy for minutes.
  private static byte[] padded(byte[] file, ImageHeader.Format format) {
    return format == ImageHeader.Format.WEBP
        ? Arrays.copyOf(file, file.length + WEBP_PADDING_BYTES)
        : file;
  }

  /// The subsampling step: every n-th pixel in both directions is decoded.
  static int step(ImageHeader header) {
    return (int) Math.ceil(Math.sqrt((double) header.pixels() / MAX_DECODED_PIXELS));
  }

  private static BufferedImage read(ImageReader reader, ImageInputStream in, int step)
      throws IOException, InvalidPhotoException {
    boolean[] truncated = new boolean[1];
    reader.setInput(in, true, true);
    reader.addIIOReadWarningListener(
        (_, warning) -> truncated[0] |= warning.toLowerCase(Locale.ROOT).contains("premature end"));
    ImageReadParam params = reader.getDefaultReadParam();
    params.setSourceSubsampling(step, step, 0, 0);
    BufferedImage image = reader.read(0, params);
    if (truncated[0]) {
      throw ImageHeader.truncated();
    }
    return image;
  }

  /// The JDK reads PNG; TwelveMonkeys reads WebP and the JPEGs that the JDK does not support (CMYK, unusual
  /// profiles).
  private static ImageReaderSpi provider(ImageHeader.Format format) {
    ImageIO.setUseCache(false);
    String vendorPrefix = format == ImageHeader.Format.PNG ? "com.sun." : "com.twelvemonkeys.";
    Iterator<ImageReaderSpi> providers =
        IIORegistry.getDefaultInstance()
            .getServiceProviders(
                ImageReaderSpi.class,
                candidate ->
                    candidate.getClass().getName().startsWith(vendorPrefix)
                        && ((ImageReaderSpi) candidate).getFormatNames() != null
                        && reads((ImageReaderSpi) candidate, format),
                true);
    return providers.next();
  }

  private static boolean reads(ImageReaderSpi provider, ImageHeader.Format format) {
    for (String name : provider.getFormatNames()) {
      if (name.equalsIgnoreCase(format.name())) {
        return true;
      }
    }
    return false;
  }
}
