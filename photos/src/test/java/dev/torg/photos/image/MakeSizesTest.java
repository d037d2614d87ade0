package dev.torg.photos.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.torg.photos.InvalidPhotoException;
import dev.torg.photos.PhotoLane;
import dev.torg.testkit.TestImages;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MakeSizesTest {
  private final MakeSizes sizes = new MakeSizes(2);

  @TempDir Path directory;

  @AfterEach
  void close() {
    sizes.close();
  }

  @Test
  void of_largeJpeg_fitsIntoTheBoxes() throws Exception {
    Map<PhotoSize, byte[]> created = sizesOf(TestImages.jpeg(3200, 2000));
    assertThat(dimensions(created, PhotoSize.FULL)).containsExactly(1600, 1000);
    assertThat(dimensions(created, PhotoSize.CARD)).containsExactly(640, 400);
    assertThat(dimensions(created, PhotoSize.THUMB)).containsExactly(240, 150);
    BufferedImage card = TestImages.read(created.get(PhotoSize.CARD));
    assertThat(TestImages.isRed(card, 100, 100)).isTrue();
    assertThat(TestImages.isRed(card, 500, 300)).isFalse();
  }

  /// A chessboard of single pixels becomes grey, without aliasing.
  @Test
  void of_finePattern_isAveraged() throws Exception {
    BufferedImage board = new BufferedImage(1283, 1283, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < 1283; y++) {
      for (int x = 0; x < 1283; x++) {
        board.setRGB(x, y, (x + y) % 2 == 0 ? 0xFFFFFF : 0);
      }
    }
    BufferedImage thumb =
        TestImages.read(sizesOf(TestImages.written(board, "png")).get(PhotoSize.THUMB));
    for (int i = 10; i < 230; i += 7) {
      assertThat(new Color(thumb.getRGB(i, i)).getGreen()).isBetween(110, 145);
    }
  }

  @Test
  void of_smallImage_isNotEnlarged() throws Exception {
    Map<PhotoSize, byte[]> created = sizesOf(TestImages.png(300, 100));
    assertThat(dimensions(created, PhotoSize.FULL)).containsExactly(300, 100);
    assertThat(dimensions(created, PhotoSize.THUMB)).containsExactly(240, 80);
  }

  @Test
  void of_onePixel_isAnImage() throws Exception {
    assertThat(dimensions(sizesOf(TestImages.png(1, 1)), PhotoSize.THUMB)).containsExactly(1, 1);
  }

  @Test
  void of_narrowStrip_keepsAPixelOfWidth() throws Exception {
    assertThat(dimensions(sizesOf(TestImages.png(2, 6000)), PhotoSize.THUMB))
        .containsExactly(1, 240);
  }

  @Test
  void of_webp_isAccepted() throws Exception {
    BufferedImage card =
        TestImages.read(sizesOf(TestImages.webp(800, 400, Color.RED)).get(PhotoSize.CARD));
    assertThat(card.getWidth()).isEqualTo(640);
    assertThat(TestImages.isRed(card, 320, 160)).isTrue();
  }

  /// Thirty bytes that used to need 5 µs per pixel, 20 s in total.
  @Test
  void of_webpOfOneColour_isFast() {
    byte[] tiny = TestImages.webp(2000, 2000, Color.RED);
    assertTimeout(Duration.ofSeconds(10), () -> sizesOf(tiny));
  }

  @Test
  void of_progressiveJpeg_isAccepted() throws Exception {
    assertThat(dimensions(sizesOf(TestImages.progressiveJpeg(800, 400)), PhotoSize.CARD))
        .containsExactly(640, 320);
  }

  @Test
  void of_transparentPng_becomesWhite() throws Exception {
    BufferedImage clear = new BufferedImage(20, 20, BufferedImage.TYPE_INT_ARGB);
    BufferedImage image =
        TestImages.read(sizesOf(TestImages.written(clear, "png")).get(PhotoSize.THUMB));
    assertThat(new Color(image.getRGB(10, 10))).isEqualTo(Color.WHITE);
  }

  @Test
  void of_exif_isExcluded() throws Exception {
    byte[] photo = TestImages.withExif(TestImages.jpeg(400, 200), 1);
    assertThat(text(photo)).contains(TestImages.SECRET_LOCATION).contains("Exif");
    sizesOf(photo)
        .values()
        .forEach(
            created ->
                assertThat(text(created)).doesNotContain(TestImages.SECRET_LOCATION, "Exif"));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 400, 200, 0, 0",
    "2, 400, 200, 1, 0",
    "3, 400, 200, 1, 1",
    "4, 400, 200, 0, 1",
    "5, 200, 400, 0, 0",
    "6, 200, 400, 1, 0",
    "7, 200, 400, 1, 1",
    "8, 200, 400, 0, 1"
  })
  void of_orientation_isApplied(int orientation, int width, int height, int right, int down)
      throws Exception {
    byte[] photo = TestImages.withExif(TestImages.jpeg(400, 200), orientation);
    BufferedImage full = TestImages.read(sizesOf(photo).get(PhotoSize.FULL));
    assertThat(full.getWidth()).isEqualTo(width);
    assertThat(full.getHeight()).isEqualTo(height);
    for (int x = 0; x < 2; x++) {
      for (int y = 0; y < 2; y++) {
        assertThat(TestImages.isRed(full, width / 4 + x * width / 2, height / 4 + y * height / 2))
            .as("%d/%d", x, y)
            .isEqualTo(x == right && y == down);
      }
    }
  }

  @Test
  void of_webpExif_appliesOrientation() throws Exception {
    byte[] plain = TestImages.webp(400, 200, Color.RED);
    byte[] image = Arrays.copyOfRange(plain, 12, plain.length);
    byte[] canvas = {8, 0, 0, 0, (byte) (399 & 0xFF), (byte) (399 >> 8), 0, (byte) 199, 0, 0};
    byte[] turned =
        TestImages.riff(
            TestImages.webpChunk("VP8X", canvas),
            image,
            TestImages.webpChunk("EXIF", TestImages.tiff(6)));
    assertThat(dimensions(sizesOf(turned), PhotoSize.FULL)).containsExactly(200, 400);
  }

  @Test
  void of_hugeDeclaredDimensions_isRefusedByTheHeader() {
    assertRefused(TestImages.jpegDeclaring(60_000, 60_000), "too-many-pixels");
    assertRefused(TestImages.jpegDeclaring(8_000, 8_000), "too-many-pixels");
    assertRefused(TestImages.pngDeclaring(2_000_000_000, 2_000_000_000), "too-many-pixels");
    assertRefused(TestImages.pngDeclaring(40_000, 10), "too-many-pixels");
    assertRefused(TestImages.webp(16_000, 16_000, Color.RED), "too-many-pixels");
  }

  /// Its decoder holds all coefficients, as for a progressive image.
  @Test
  void of_largeJpegWithAScanAChannel_isRefusedByTheHeader() {
    assertRefused(TestImages.jpegInScansDeclaring(6_000, 5_000), "too-many-pixels");
  }

  @Test
  void of_webpWithSmallCanvas_usesSizeOfImage() {
    byte[] image = TestImages.webp(16_000, 16_000, Color.RED);
    byte[] small =
        TestImages.riff(
            TestImages.webpChunk("VP8X", new byte[] {0, 0, 0, 0, 9, 0, 0, 9, 0, 0}),
            Arrays.copyOfRange(image, 12, image.length));
    assertRefused(small, "too-many-pixels");
  }

  @Test
  void of_tooManyScans_isRefused() {
    assertRefused(TestImages.jpegOfScans(500), "too-many-scans");
  }

  /// Each would need 100 MB.
  @ParameterizedTest
  @ValueSource(strings = {"zTXt", "iTXt", "iCCP"})
  void of_pngWithInflatingText_neverInflatesIt(String chunk) throws Exception {
    byte[] png = TestImages.pngWithText(chunk, 100_000_000);
    assertThat(png.length).isLessThan(500_000);
    long before = allocated();
    assertThat(dimensions(sizesOf(png), PhotoSize.FULL)).containsExactly(1, 1);
    assertThat(allocated() - before).isLessThan(50_000_000);
  }

  @Test
  void of_animated_isRefused() {
    assertRefused(TestImages.animatedWebp(), "animated");
    byte[] png = TestImages.png(10, 10);
    byte[] animated =
        TestImages.joined(
            Arrays.copyOf(png, 33),
            TestImages.chunk("acTL", new byte[8]),
            Arrays.copyOfRange(png, 33, png.length));
    assertRefused(animated, "animated");
  }

  @Test
  void of_truncated_isRefused() {
    List.of(
            TestImages.jpeg(400, 300),
            TestImages.progressiveJpeg(400, 300),
            TestImages.png(400, 300),
            TestImages.webp(40, 30, Color.RED))
        .forEach(
            whole -> {
              assertRefused(Arrays.copyOf(whole, whole.length - 3), "truncated");
              assertRefused(Arrays.copyOf(whole, whole.length / 2), "truncated");
            });
  }

  @Test
  void of_damagedPixels_isRefused() {
    byte[] png = TestImages.png(400, 300);
    Arrays.fill(png, png.length / 2, png.length - 20, (byte) 0x55);
    assertRefused(png, "corrupt");
  }

  @Test
  void of_somethingElse_isRefused() {
    assertRefused("GIF89a, it says".getBytes(StandardCharsets.UTF_8), "not-an-image");
    assertRefused("<html>not here</html>".getBytes(StandardCharsets.UTF_8), "not-an-image");
    assertRefused(new byte[0], "not-an-image");
    assertRefused("RIFF....WAVEfmt ".getBytes(StandardCharsets.UTF_8), "not-an-image");
  }

  /// Six images of 8 megapixels, 32 MB decoded each, with memory for two of them.
  @Test
  void of_manyConcurrently_shareMemoryBudget() throws Exception {
    Path photo = file(TestImages.jpeg(3200, 2500));
    try (MakeSizes sizes = new MakeSizes(8, 70_000_000)) {
      List<CompletableFuture<Integer>> all =
          IntStream.range(0, 6)
              .mapToObj(
                  _ ->
                      CompletableFuture.supplyAsync(
                          () -> countSizes(sizes, photo), task -> Thread.ofVirtual().start(task)))
              .toList();
      all.forEach(result -> assertThat(result.join()).isEqualTo(3));
    }
  }

  /// It would run last in a common queue.
  @Test
  @Timeout(60)
  void of_interactiveWithBulkQueued_runsNext() throws Exception {
    Path photo = file(TestImages.jpeg(2000, 1500));
    AtomicInteger created = new AtomicInteger();
    try (MakeSizes single = new MakeSizes(1)) {
      List<Thread> background =
          IntStream.range(0, 20)
              .mapToObj(
                  _ -> Thread.ofVirtual().start(() -> createInBackground(single, photo, created)))
              .toList();
      while (created.get() == 0) {
        Thread.sleep(5);
      }
      single.of(PhotoLane.INTERACTIVE, photo);
      assertThat(created.get()).isLessThan(15);
      for (Thread thread : background) {
        thread.join();
      }
    }
    assertThat(created).hasValue(20);
  }

  private static void createInBackground(MakeSizes sizes, Path photo, AtomicInteger created) {
    try {
      sizes.of(PhotoLane.BULK, photo);
      created.incrementAndGet();
    } catch (InvalidPhotoException | IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int countSizes(MakeSizes sizes, Path photo) {
    try {
      return sizes.of(PhotoLane.INTERACTIVE, photo).size();
    } catch (InvalidPhotoException | IOException | InterruptedException e) {
      throw new CompletionException(e);
    }
  }

  private void assertRefused(byte[] photo, String reason) {
    assertThatThrownBy(() -> sizesOf(photo))
        .isInstanceOfSatisfying(
            InvalidPhotoException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private Map<PhotoSize, byte[]> sizesOf(byte[] photo)
      throws InvalidPhotoException, IOException, InterruptedException {
    return sizes.of(PhotoLane.INTERACTIVE, file(photo));
  }

  /// The file name is misleading.
  private Path file(byte[] photo) throws IOException {
    return Files.write(Files.createTempFile(directory, "photo", ".gif"), photo);
  }

  private static int[] dimensions(Map<PhotoSize, byte[]> created, PhotoSize size) {
    BufferedImage image = TestImages.read(created.get(size));
    return new int[] {image.getWidth(), image.getHeight()};
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static long allocated() {
    var threads =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    return threads.getTotalThreadAllocatedBytes();
  }
}
