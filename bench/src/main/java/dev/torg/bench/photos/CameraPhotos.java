package dev.torg.bench.photos;

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/// 12-megapixel JPEGs like those of a phone: soft areas, edges and some noise, about 4 MB. The
/// pixels are the same in all of them; a comment makes the bytes of each unique.
final class CameraPhotos {
  static final int WIDTH = 4000;
  static final int HEIGHT = 3000;

  private static final int SHAPES = 1_500;
  private static final int NOISE = 14;
  private static final float QUALITY = 0.92f;
  private static final long SEED = 12;

  private final byte[] jpeg;

  private CameraPhotos(byte[] jpeg) {
    this.jpeg = jpeg;
  }

  static CameraPhotos draw() throws IOException {
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    Random random = new Random(SEED);
    paint(image, random);
    addNoise(image, random);
    return new CameraPhotos(written(image));
  }

  int size() {
    return jpeg.length;
  }

  /// The photo with this number.
  byte[] number(long number) {
    byte[] comment =
        ByteBuffer.allocate(4 + Long.BYTES)
            .putShort((short) 0xFFFE)
            .putShort((short) (2 + Long.BYTES))
            .putLong(number)
            .array();
    byte[] photo = Arrays.copyOf(jpeg, jpeg.length + comment.length);
    System.arraycopy(comment, 0, photo, 2, comment.length);
    System.arraycopy(jpeg, 2, photo, 2 + comment.length, jpeg.length - 2);
    return photo;
  }

  private static void paint(BufferedImage image, Random random) {
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setPaint(new GradientPaint(0, 0, Color.CYAN, 0, HEIGHT, Color.DARK_GRAY));
    graphics.fillRect(0, 0, WIDTH, HEIGHT);
    for (int i = 0; i < SHAPES; i++) {
      graphics.setColor(new Color(random.nextInt(1 << 24)));
      int size = 5 + random.nextInt(200);
      graphics.fillOval(random.nextInt(WIDTH), random.nextInt(HEIGHT), size, size);
    }
    graphics.dispose();
  }

  private static void addNoise(BufferedImage image, Random random) {
    int[] row = new int[WIDTH];
    for (int y = 0; y < HEIGHT; y++) {
      image.getRGB(0, y, WIDTH, 1, row, 0, WIDTH);
      for (int x = 0; x < WIDTH; x++) {
        int noise = random.nextInt(NOISE);
        row[x] ^= noise << 16 | noise << 8 | noise;
      }
      image.setRGB(0, y, WIDTH, 1, row, 0, WIDTH);
    }
  }

  private static byte[] written(BufferedImage image) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      ImageWriteParam param = writer.getDefaultWriteParam();
      param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      param.setCompressionQuality(QUALITY);
      writer.setOutput(out);
      writer.write(null, new IIOImage(image, null, null), param);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }
}
