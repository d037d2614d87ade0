package dev.torg.bench.photos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import dev.torg.photos.InvalidPhotoException;
import dev.torg.photos.image.MakeSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// 12-megapixel JPEGs from an address to READY in their offers, through outbox, topics, worker and store,
/// compared with the bare decoding and resizing of the same photos in one thread.
@Command(
    name = "photos",
    description = "Photos through the pipeline, compared with the bare resize in one thread.")
public final class PhotosBench implements Callable<Integer> {
  /// The heap that a small machine can spare.
  private static final List<String> HEAP = List.of("-Xmx512m");

  private static final int PER_OFFER = 10;
  private static final int WARM = 40;
  private static final Duration TIMEOUT = Duration.ofMinutes(20);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

  @Mixin private ReportOptions options;

  @Option(names = "--photos", defaultValue = "300", description = "how many (default 300)")
  private int photos;

  @Override
  public Integer call() throws IOException {
    if (options.quick()) {
      photos = Math.min(photos, 60);
    }
    options.progress("drawing a photo of 12 megapixels ...");
    CameraPhotos camera = CameraPhotos.draw();
    double bare = bare(camera);
    try (TemporaryData data = TemporaryData.create("bench-photos");
        PhotoSite site = new PhotoSite(camera);
        TorgProcess server = TorgProcess.of(PhotosServer.class, data.path(), HEAP);
        ServerMemory memory = new ServerMemory(server);
        ApiClient client = new ApiClient(server.address())) {
      Pipeline pipeline = new Pipeline(client.loggedInAs("photographer"), site);
      options.progress("warming up with %d photos ...", WARM);
      pipeline.run(0, WARM);
      options.progress("%d photos through the pipeline ...", photos);
      Duration time = pipeline.run(WARM, photos);
      return options.finishBench(report(camera, time, bare, memory, pipeline));
    }
  }

  /// Photos per second of one thread that does nothing else.
  private double bare(CameraPhotos camera) throws IOException {
    Duration phase = options.phase(Duration.ofSeconds(15));
    options.progress("the bare resize in one thread for 2 × %d s ...", phase.toSeconds());
    Path file = Files.createTempFile("bench-photo", ".jpg");
    try {
      Files.write(file, camera.number(0));
      bare(file, phase);
      return bare(file, phase);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static double bare(Path file, Duration time) throws IOException {
    long start = System.nanoTime();
    int created = 0;
    while (System.nanoTime() - start < time.toNanos()) {
      try {
        MakeSizes.makeUnbounded(file);
      } catch (InvalidPhotoException e) {
        throw new IOException(e);
      }
      created++;
    }
    return created * 1e9 / (System.nanoTime() - start);
  }

  private Report report(
      CameraPhotos camera, Duration time, double bare, ServerMemory memory, Pipeline pipeline) {
    double perSecond = photos * 1e9 / time.toNanos();
    return Report.of("photos", Instant.now())
        .param("photos", photos)
        .param("megapixels", CameraPhotos.WIDTH * CameraPhotos.HEIGHT / 1_000_000)
        .param("photoBytes", camera.size())
        .param("photosPerOffer", PER_OFFER)
        .param("serverHeap", "512 MB")
        .result("photosPerSecond", round(perSecond))
        .result("failed", pipeline.failed)
        .result("peakHeapMb", memory.peakHeapMb())
        .result("peakResidentMb", memory.peakResidentMb())
        .baseline("bareResizePerSecond", round(bare))
        .ratio("pipelineVsBareResize", round(perSecond / bare))
        .target("failed", 0, pipeline.failed, pipeline.failed == 0)
        .atMost("peakHeapMb", 512, memory.peakHeapMb())
        .build();
  }

  /// Adds photos to offers and waits until none is pending.
  private static final class Pipeline {
    private final ApiClient seller;
    private final PhotoSite site;
    private int failed;

    Pipeline(ApiClient seller, PhotoSite site) {
      this.seller = seller;
      this.site = site;
    }

    Duration run(long from, int count) {
      List<String> offers = new ArrayList<>();
      for (int i = 0; i < count; i += PER_OFFER) {
        offers.add(seller.publish("A camera, new"));
      }
      long start = System.nanoTime();
      for (int i = 0; i < count; i++) {
        ObjectNode body = ApiClient.JSON.createObjectNode().put("url", site.address(from + i));
        seller.post("/v1/offers/" + offers.get(i / PER_OFFER) + "/photos", body);
      }
      offers.forEach(offer -> failed += awaitDone(offer, start));
      return Duration.ofNanos(System.nanoTime() - start);
    }

    /// Returns the number of failed photos.
    private int awaitDone(String offer, long start) {
      while (System.nanoTime() - start < TIMEOUT.toNanos()) {
        JsonNode shown = seller.get("/v1/offers/" + offer).path("photos");
        if (count(shown, "PENDING") == 0) {
          return count(shown, "FAILED");
        }
        LockSupport.parkNanos(POLL_INTERVAL.toNanos());
      }
      throw new IllegalStateException("photos of " + offer + " are still pending");
    }

    private static int count(JsonNode photos, String status) {
      int failed = 0;
      for (JsonNode photo : photos) {
        failed += photo.path("status").asText().equals(status) ? 1 : 0;
      }
      return failed;
    }
  }

  private static double round(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
