package dev.torg.photos.image;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.awt.image.DataBufferInt;

/// Halves opaque images: each pixel is the mean of four. The result is that of Java2D's bilinear
/// scaling for this ratio, in a fraction of its time; the first halving is the most expensive step,
/// since it reads every decoded pixel.
final class Halve {
  private Halve() {}

  static boolean supports(BufferedImage image) {
    return image.getType() == BufferedImage.TYPE_3BYTE_BGR
        || image.getType() == BufferedImage.TYPE_INT_RGB;
  }

  /// A last odd row or column is dropped.
  static BufferedImage run(BufferedImage image) {
    int width = image.getWidth() / 2;
    int height = image.getHeight() / 2;
    BufferedImage to = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    int[] out = ((DataBufferInt) to.getRaster().getDataBuffer()).getData();
    if (image.getType() == BufferedImage.TYPE_3BYTE_BGR) {
      byte[] in = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
      ofBytes(in, image.getWidth() * 3, out, width, height);
    } else {
      int[] in = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
      ofInts(in, image.getWidth(), out, width, height);
    }
    return to;
  }

  private static void ofBytes(byte[] in, int row, int[] out, int width, int height) {
    for (int y = 0; y < height; y++) {
      int upper = 2 * y * row;
      int at = y * width;
      for (int x = 0; x < width; x++) {
        int blue = mean(in, upper, row);
        int green = mean(in, upper + 1, row);
        int red = mean(in, upper + 2, row);
        out[at++] = red << 16 | green << 8 | blue;
        upper += 6;
      }
    }
  }

  private static int mean(byte[] in, int at, int row) {
    return ((in[at] & 0xFF)
            + (in[at + 3] & 0xFF)
            + (in[at + row] & 0xFF)
            + (in[at + row + 3] & 0xFF)
            + 2)
        >> 2;
  }

  /// Red and blue are added in one integer: four times 255 and the rounding fit into ten bits.
  private static void ofInts(int[] in, int row, int[] out, int width, int height) {
    for (int y = 0; y < height; y++) {
      int upper = 2 * y * row;
      int at = y * width;
      for (int x = 0; x < width; x++) {
        int a = in[upper];
        int b = in[upper + 1];
        int c = in[upper + row];
        int d = in[upper + row + 1];
        int redAndBlue =
            (a & 0xFF00FF) + (b & 0xFF00FF) + (c & 0xFF00FF) + (d & 0xFF00FF) + 0x020002;
        int green = (a & 0xFF00) + (b & 0xFF00) + (c & 0xFF00) + (d & 0xFF00) + 0x0200;
        out[at++] = redAndBlue >> 2 & 0xFF00FF | green >> 2 & 0xFF00;
        upper += 2;
      }
    }
  }
}
