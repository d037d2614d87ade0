package dev.torg.photos.image;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/// Scales images down. Halves as often as possible, since one bilinear step reads only four pixels, then
/// scales to the final size. Transparent pixels become white.
final class Resize {
  private Resize() {}

  /// The upright image, scaled to fit into the square.
  static BufferedImage fit(BufferedImage image, Orientation orientation, int side) {
    double ratio = Math.min(1.0, (double) side / Math.max(image.getWidth(), image.getHeight()));
    int width = Math.max(1, (int) Math.round(image.getWidth() * ratio));
    int height = Math.max(1, (int) Math.round(image.getHeight() * ratio));
    BufferedImage at = image;
    while (at.getWidth() >= 2 * width && at.getHeight() >= 2 * height) {
      at = Halve.supports(at) ? Halve.run(at) : scaled(at, at.getWidth() / 2, at.getHeight() / 2);
    }
    boolean done = at != image && at.getWidth() == width && at.getHeight() == height;
    return upright(done ? at : scaled(at, width, height), orientation);
  }

  static byte[] jpeg(BufferedImage image, float quality) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      ImageWriteParam params = writer.getDefaultWriteParam();
      params.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      params.setCompressionQuality(quality);
      writer.setOutput(out);
      writer.write(null, new IIOImage(image, null, null), params);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }

  private static BufferedImage scaled(BufferedImage image, int width, int height) {
    BufferedImage to = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = to.createGraphics();
    try {
      graphics.setRenderingHint(
          RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
      if (image.getColorModel().hasAlpha()) {
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
      }
      graphics.drawImage(image, 0, 0, width, height, null);
    } finally {
      graphics.dispose();
    }
    return to;
  }

  private static BufferedImage upright(BufferedImage image, Orientation orientation) {
    if (orientation == Orientation.NORMAL) {
      return image;
    }
    int width = image.getWidth();
    int height = image.getHeight();
    BufferedImage to =
        new BufferedImage(
            orientation.swapsSides() ? height : width,
            orientation.swapsSides() ? width : height,
            BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = to.createGraphics();
    try {
      graphics.drawImage(image, orientation.upright(width, height), null);
    } finally {
      graphics.dispose();
    }
    return to;
  }
}
