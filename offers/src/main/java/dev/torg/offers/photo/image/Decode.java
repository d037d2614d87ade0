package dev.torg.offers.photo.image;

import dev.torg.offers.photo.BadPhoto;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.spi.IIORegistry;
import javax.imageio.spi.ImageReaderSpi;
import javax.imageio.stream.FileImageInputStream;
import javax.imageio.stream.ImageInputStream;

/// Turns a file whose header was found good into pixels, at most 16 megapixels of them.
final class Decode {
  /// Beyond it every second or third pixel is left out while decoding; what is left is still more than
  /// twice the largest size.
  static final long MOST_DECODED = 16_000_000;

  private Decode() {}

  static BufferedImage run(Path file, ImageHeader header) throws BadPhoto, IOException {
    if (header.format() != ImageHeader.Format.PNG) {
      return read(file, header);
    }
    Path needed = Files.createTempFile("torg-photo-", ".png");
    try {
      PngHeader.copyNeeded(file, needed);
      return read(needed, header);
    } finally {
      Files.deleteIfExists(needed);
    }
  }

  /// Every so-manieth pixel across and down is decoded.
  static int step(ImageHeader header) {
    return (int) Math.ceil(Math.sqrt((double) header.pixels() / MOST_DECODED));
  }

  private static BufferedImage read(Path file, ImageHeader header) throws BadPhoto, IOException {
    ImageReader reader = provider(header.format()).createReaderInstance();
    try (ImageInputStream in = new FileImageInputStream(file.toFile())) {
      return read(reader, in, step(header));
    } catch (IOException | RuntimeException e) {
      if (Files.isReadable(file)) {
        throw ImageHeader.corrupt();
      }
      throw e;
    } finally {
      reader.dispose();
    }
  }

  private static BufferedImage read(ImageReader reader, ImageInputStream in, int step)
      throws IOException, BadPhoto {
    boolean[] cutOff = new boolean[1];
    reader.setInput(in, true, true);
    reader.addIIOReadWarningListener(
        (_, warning) -> cutOff[0] |= warning.toLowerCase(Locale.ROOT).contains("premature end"));
    ImageReadParam wanted = reader.getDefaultReadParam();
    wanted.setSourceSubsampling(step, step, 0, 0);
    BufferedImage image = reader.read(0, wanted);
    if (cutOff[0]) {
      throw ImageHeader.truncated();
    }
    return image;
  }

  /// The JDK reads PNG; TwelveMonkeys reads WebP and the JPEGs that the JDK does not (CMYK, odd
  /// profiles).
  private static ImageReaderSpi provider(ImageHeader.Format format) {
    ImageIO.setUseCache(false);
    String maker = format == ImageHeader.Format.PNG ? "com.sun." : "com.twelvemonkeys.";
    Iterator<ImageReaderSpi> found =
        IIORegistry.getDefaultInstance()
            .getServiceProviders(
                ImageReaderSpi.class,
                candidate ->
                    candidate.getClass().getName().startsWith(maker)
                        && ((ImageReaderSpi) candidate).getFormatNames() != null
                        && reads((ImageReaderSpi) candidate, format),
                true);
    return found.next();
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
