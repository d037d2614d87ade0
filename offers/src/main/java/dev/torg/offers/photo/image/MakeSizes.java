package dev.torg.offers.photo.image;

import dev.torg.offers.photo.InvalidPhotoException;
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

/// Makes the sizes of photos, so many at once as there are threads, and no more than fit into the
/// memory set aside for decoded images: a quarter of the heap. The threads are the system's own, since
/// half a second of arithmetic would keep a carrier of virtual threads from everybody else.
public final class MakeSizes implements AutoCloseable {
  private static final int KILO = 1024;

  /// Below it no large image would fit in at all.
  private static final long LEAST_BUDGET = 96L * KILO * KILO;

  /// The decoder of a JPEG in several scans keeps all coefficients: two bytes for each of three channels.
  private static final int COEFFICIENTS = 6;

  static {
    // No screen is needed, whatever the surroundings say.
    System.setProperty("java.awt.headless", "true");
  }

  private final ExecutorService threads;
  private final int budget;
  private final Semaphore memory;
  private final Semaphore background;

  public MakeSizes(int atOnce) {
    this(atOnce, Math.max(LEAST_BUDGET, Runtime.getRuntime().maxMemory() / 4));
  }

  MakeSizes(int atOnce, long bytes) {
    this.threads =
        Executors.newFixedThreadPool(
            atOnce, Thread.ofPlatform().name("photo-", 0).daemon().factory());
    this.budget = (int) Math.min(Integer.MAX_VALUE, bytes / KILO);
    this.memory = new Semaphore(budget, true);
    this.background = new Semaphore(atOnce, true);
  }

  /// The file's sizes as JPEG. Waits for its turn.
  public Map<PhotoSize, byte[]> of(Path file)
      throws InvalidPhotoException, IOException, InterruptedException {
    try {
      return threads.submit(() -> inTurn(Files.readAllBytes(file))).get();
    } catch (ExecutionException e) {
      throw unwrapped(e);
    }
  }

  /// The same for work that others do not wait for: of it the threads are handed no more than they can begin at once,
  /// and what comes by [#of] is next after these.
  public Map<PhotoSize, byte[]> inBackground(Path file)
      throws InvalidPhotoException, IOException, InterruptedException {
    background.acquire();
    try {
      return of(file);
    } finally {
      background.release();
    }
  }

  /// Files themselves are small beside what they become, and there are no more of them than threads.
  private Map<PhotoSize, byte[]> inTurn(byte[] file)
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

  /// Without waiting for anybody, on the caller's thread: what the others are measured by.
  public static Map<PhotoSize, byte[]> make(Path file) throws InvalidPhotoException, IOException {
    byte[] bytes = Files.readAllBytes(file);
    return make(bytes, ImageHeader.read(bytes));
  }

  private static Map<PhotoSize, byte[]> make(byte[] file, ImageHeader header)
      throws InvalidPhotoException, IOException {
    BufferedImage image = Decode.run(file, header);
    Map<PhotoSize, byte[]> made = new EnumMap<>(PhotoSize.class);
    Orientation orientation = header.orientation();
    for (PhotoSize size : List.of(PhotoSize.FULL, PhotoSize.CARD, PhotoSize.THUMB)) {
      image = Resize.fit(image, orientation, size.side());
      orientation = Orientation.NORMAL;
      made.put(size, Resize.jpeg(image, size.quality()));
    }
    return made;
  }

  /// What decoding takes, and the first smaller image of it.
  private static long bytes(ImageHeader header) {
    long step = Decode.step(header);
    long decoded = header.pixels() / (step * step) * (header.bytesPerPixel() + 1);
    if (!header.wholeAtOnce()) {
      return decoded;
    }
    return header.format() == ImageHeader.Format.JPEG
        ? decoded + header.pixels() * COEFFICIENTS
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
