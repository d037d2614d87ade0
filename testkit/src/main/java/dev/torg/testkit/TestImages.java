package dev.torg.testkit;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;

/// Generated images, valid and invalid.
public final class TestImages {
  private TestImages() {}

  /// The upper left quarter is red, the rest blue, so that the orientation can be checked.
  public static BufferedImage marked(int width, int height) {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(Color.BLUE);
    graphics.fillRect(0, 0, width, height);
    graphics.setColor(Color.RED);
    graphics.fillRect(0, 0, width / 2, height / 2);
    graphics.dispose();
    return image;
  }

  public static byte[] jpeg(int width, int height) {
    return written(marked(width, height), "jpeg");
  }

  /// An image that no other call has returned.
  public static byte[] jpeg(int width, int height, Color color) {
    BufferedImage image = marked(width, height);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(color);
    graphics.fillRect(width / 2, height / 2, width / 2, height / 2);
    graphics.dispose();
    return written(image, "jpeg");
  }

  public static byte[] png(int width, int height) {
    return written(marked(width, height), "png");
  }

  public static byte[] written(BufferedImage image, String format) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ImageIO.write(image, format, bytes);
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static byte[] progressiveJpeg(int width, int height) {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (var out = ImageIO.createImageOutputStream(bytes)) {
      ImageWriteParam param = writer.getDefaultWriteParam();
      param.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
      writer.setOutput(out);
      writer.write(null, new IIOImage(marked(width, height), null, null), param);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  public static BufferedImage read(byte[] bytes) {
    try {
      return ImageIO.read(new ByteArrayInputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static boolean isRed(BufferedImage image, int x, int y) {
    Color color = new Color(image.getRGB(x, y));
    return color.getRed() > 150 && color.getBlue() < 100;
  }

  /// The text that only the EXIF block holds: the location of the photo.
  public static final String SECRET_LOCATION = "N 50 06 38 E 8 40 56";

  /// A JPEG with an EXIF block: orientation and location.
  public static byte[] withExif(byte[] jpeg, int orientation) {
    byte[] tiff = tiff(orientation);
    ByteBuffer segment = ByteBuffer.allocate(4 + 6 + tiff.length);
    segment.putShort((short) 0xFFE1).putShort((short) (2 + 6 + tiff.length));
    segment.put("Exif\0\0".getBytes(StandardCharsets.US_ASCII)).put(tiff);
    return joined(
        Arrays.copyOf(jpeg, 2), segment.array(), Arrays.copyOfRange(jpeg, 2, jpeg.length));
  }

  /// One directory: orientation, and the location as the image's description.
  public static byte[] tiff(int orientation) {
    byte[] location = (SECRET_LOCATION + "\0").getBytes(StandardCharsets.US_ASCII);
    ByteBuffer block =
        ByteBuffer.allocate(8 + 2 + 2 * 12 + 4 + location.length).order(ByteOrder.LITTLE_ENDIAN);
    block.put((byte) 'I').put((byte) 'I').putShort((short) 42).putInt(8).putShort((short) 2);
    block.putShort((short) 0x010E).putShort((short) 2).putInt(location.length).putInt(38);
    block.putShort((short) 0x0112).putShort((short) 3).putInt(1).putShort((short) orientation);
    block.putShort((short) 0).putInt(0).put(location);
    return block.array();
  }

  /// A JPEG whose header declares another size.
  public static byte[] jpegDeclaring(int width, int height) {
    byte[] jpeg = jpeg(16, 16);
    for (int i = 2; i < jpeg.length; i++) {
      if ((jpeg[i] & 0xFF) == 0xFF && (jpeg[i + 1] & 0xFF) == 0xC0) {
        ByteBuffer.wrap(jpeg).putShort(i + 5, (short) height).putShort(i + 7, (short) width);
        return jpeg;
      }
    }
    throw new AssertionError("no frame");
  }

  /// The same in several scans, one per channel, of which only the first is present.
  public static byte[] jpegInScansDeclaring(int width, int height) {
    byte[] jpeg = jpegDeclaring(width, height);
    for (int i = 2; i < jpeg.length; i++) {
      if ((jpeg[i] & 0xFF) == 0xFF && (jpeg[i + 1] & 0xFF) == 0xDA) {
        jpeg[i + 4] = 1;
        return jpeg;
      }
    }
    throw new AssertionError("no scan");
  }

  /// A progressive JPEG with this many copies of its last scan appended.
  public static byte[] jpegOfScans(int scans) {
    byte[] jpeg = progressiveJpeg(16, 16);
    int last = 0;
    for (int i = 0; i < jpeg.length - 1; i++) {
      if ((jpeg[i] & 0xFF) == 0xFF && (jpeg[i + 1] & 0xFF) == 0xDA) {
        last = i;
      }
    }
    byte[] scan = Arrays.copyOfRange(jpeg, last, jpeg.length - 2);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(Arrays.copyOf(jpeg, jpeg.length - 2));
    for (int i = 0; i < scans; i++) {
      all.writeBytes(scan);
    }
    all.writeBytes(new byte[] {(byte) 0xFF, (byte) 0xD9});
    return all.toByteArray();
  }

  /// A PNG of about a kilobyte that declares a huge size and whose pixel data is a long run of
  /// zeros.
  public static byte[] pngDeclaring(int width, int height) {
    return png(width, height, deflated(1_000_000), new byte[0]);
  }

  /// A small palette PNG with a compressed text or profile of this many bytes.
  public static byte[] pngWithText(String chunk, int bytes) {
    String head = chunk.equals("iTXt") ? "Comment\0\1\0en\0\0" : "Comment\0\0";
    byte[] text = joined(head.getBytes(StandardCharsets.US_ASCII), deflated(bytes));
    return png(1, 1, deflated(2), chunk(chunk, text));
  }

  private static byte[] png(int width, int height, byte[] data, byte[] more) {
    byte[] header =
        ByteBuffer.allocate(13)
            .putInt(width)
            .putInt(height)
            .put(new byte[] {8, 3, 0, 0, 0})
            .array();
    return joined(
        new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10},
        chunk("IHDR", header),
        more,
        chunk("PLTE", new byte[] {9, 9, 9}),
        chunk("IDAT", data),
        chunk("IEND", new byte[0]));
  }

  public static byte[] chunk(String type, byte[] data) {
    byte[] typed = joined(type.getBytes(StandardCharsets.US_ASCII), data);
    CRC32 check = new CRC32();
    check.update(typed);
    return joined(
        ByteBuffer.allocate(4).putInt(data.length).array(),
        typed,
        ByteBuffer.allocate(4).putInt((int) check.getValue()).array());
  }

  private static byte[] deflated(int zeros) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream out =
        new DeflaterOutputStream(bytes, new Deflater(Deflater.BEST_COMPRESSION))) {
      byte[] page = new byte[Math.min(zeros, 1 << 20)];
      for (int remaining = zeros; remaining > 0; remaining -= page.length) {
        out.write(page, 0, Math.min(remaining, page.length));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /// A lossless WebP of one colour, about thirty bytes whatever its size: each of its five codes
  /// has one symbol, so its pixels take no bits.
  public static byte[] webp(int width, int height, Color color) {
    Bits bits = new Bits();
    bits.put(0x2F, 8).put(width - 1, 14).put(height - 1, 14).put(0, 1).put(0, 3);
    bits.put(0, 3);
    for (int symbol : new int[] {color.getGreen(), color.getRed(), color.getBlue(), 255}) {
      bits.put(1, 1).put(0, 1).put(1, 1).put(symbol, 8);
    }
    bits.put(1, 1).put(0, 1).put(0, 1).put(0, 1);
    return riff(webpChunk("VP8L", bits.bytes()));
  }

  /// A WebP that declares more than one image.
  public static byte[] animatedWebp() {
    return riff(webpChunk("VP8X", new byte[] {2, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  }

  public static byte[] riff(byte[]... chunks) {
    byte[] all = joined(chunks);
    return joined(
        "RIFF".getBytes(StandardCharsets.US_ASCII),
        littleEndian(all.length + 4),
        "WEBP".getBytes(StandardCharsets.US_ASCII),
        all);
  }

  public static byte[] webpChunk(String type, byte[] data) {
    return joined(
        type.getBytes(StandardCharsets.US_ASCII),
        littleEndian(data.length),
        data,
        new byte[data.length % 2]);
  }

  private static byte[] littleEndian(int number) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
  }

  public static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /// Writes bits, lowest first.
  private static final class Bits {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long held;
    private int count;

    Bits put(int value, int width) {
      held |= (long) value << count;
      count += width;
      while (count >= 8) {
        bytes.write((int) held & 0xFF);
        held >>>= 8;
        count -= 8;
      }
      return this;
    }

    byte[] bytes() {
      put(0, 16);
      return bytes.toByteArray();
    }
  }
}
