package dev.torg.photos.image;

import dev.torg.photos.InvalidPhotoException;
import dev.torg.photos.PhotoLane;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// Makes the sizes of photos. The concurrency is limited by the number of threads and by the memory
/// reserved for decoded images, a quarter of the heap. Uses platform threads, because half a second of
/// computation would block a carrier of virtual threads.
public final class MakeSizes implements AutoCloseable {
  private static final int KILO = 1024;

  /// The smallest budget that a large image fits into.
  private static final long MIN_BUDGET_BYTES = 96L * KILO * KILO;

  /// The decoder of a JPEG in several scans holds all coefficients: two bytes for each of three channels.
  private static final int COEFFICIENT_BYTES_PER_PIXEL = 6;

  static {
    // No display is needed, whatever the environment.
    System.setProperty("java.awt.headless", "true");
  }

  private final ExecutorService threads;
  private final int budget;
  private final Semaphore memory;
  private final Semaphore bulkPermits;

  public MakeSizes(int atOnce) {
    this(atOnce, Math.max(MIN_BUDGET_BYTES, Runtime.getRuntime().maxMemory() / 4));
  }

  MakeSizes(int atOnce, long bytes) {
    this.threads =
        Executors.newFixedThreadPool(
            atOnce, Thread.ofPlatform().name("photo-", 0).daemon().factory());
    this.budget = (int) Math.min(Integer.MAX_VALUE, bytes / KILO);
    this.memory = new Semaphore(budget, true);
    this.bulkPermits = new Semaphore(atOnce, true);
  }

  /// The file's sizes as JPEG. Waits for a thread. The bulk lane never queues more work than the threads
  /// can start at once, so that interactive work runs next.
  public Map<PhotoSize, byte[]> of(PhotoLane lane, Path file)
      throws InvalidPhotoException, IOException, InterruptedException {
    return switch (lane) {
      case INTERACTIVE -> make(file);
      case BULK -> makeInBulk(file);
    };
  }

  private Map<PhotoSize, byte[]> makeInBulk(Path file)
      throws InvalidPhotoException, IOException, InterruptedException {
    bulkPermits.acquire();
    try {
      return make(file);
    } finally {
      bulkPermits.release();
    }
  }

  private Map<PhotoSize, byte[]> make(Path file)
      throws InvalidPhotoException, IOException, InterruptedException {
    try {
      return threads.submit(() -> makeWithinMemory(Files.readAllBytes(file))).get();
    } catch (ExecutionException e) {
      throw unwrapped(e);
    }
  }

  /// The file itself is not counted, since it is small compared to the decoded image.
  private Map<PhotoSize, byte[]> makeWithinMemory(byte[] file)
      throws InvalidPhotoException, IOException, InterruptedException {
    ImageHeader header = ImageHeader.read(file);
    int cost = (int) Math.min(budget, bytes(header) / KILO);
    memory.acquire(cost);
    try {
      return make(file, header);
    } finally {
      memory.release(cost);
    }
  }

  /// Runs on the caller's thread and without limits. The baseline of the benchmark.
  public static Map<PhotoSize, byte[]> makeUnbounded(Path file)
      throws InvalidPhotoException, IOException {
    byte[] bytes = Files.readAllBytes(file);
    return make(bytes, ImageHeader.read(bytes));
  }

  private static Map<PhotoSize, byte[]> make(byte[] file, ImageHeader header)
      throws InvalidPhotoException, IOException {
    BufferedImage image = Decode.run(file, header);
    Map<PhotoSize, byte[]> sizes = new EnumMap<>(PhotoSize.class);
    Orientation orientation = header.orientation();
    for (PhotoSize size : List.of(PhotoSize.FULL, PhotoSize.CARD, PhotoSize.THUMB)) {
      image = Resize.fit(image, orientation, size.side());
      orientation = Orientation.NORMAL;
      sizes.put(size, Resize.jpeg(image, size.quality()));
    }
    return sizes;
  }

  /// The memory for decoding and for the first downscaled image.
  private static long bytes(ImageHeader header) {
    long step = Decode.step(header);
    long decoded = header.pixels() / (step * step) * (header.bytesPerPixel() + 1);
    if (!header.wholeAtOnce()) {
      return decoded;
    }
    return header.format() == ImageHeader.Format.JPEG
        ? decoded + header.pixels() * COEFFICIENT_BYTES_PER_PIXEL
        : decoded + header.pixels() * header.bytesPerPixel();
  }

  private static IOException unwrapped(ExecutionException e) throws InvalidPhotoException {
    return switch (e.getCause()) {
      case InvalidPhotoException bad -> throw bad;
      case OutOfMemoryError _ ->
          throw new InvalidPhotoException(
              "too-many-pixels", "the image needs more memory than there is");
      case null, default -> new IOException("an image could not be made", e.getCause());
    };
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
