package dev.torg.bench.feed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.bench.load.LoadResult;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.Drained;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A very large feed through HTTP: all new, then a tenth changed, then a tenth removed, and the server's heap;
/// then the same rows written by a plain implementation. Other sellers keep publishing during both. Last a feed
/// with thousands of followers, concurrently with an offer that goes to another large audience ([StormPhase]).
@Command(
    name = "feed",
    description =
        "A million items end to end: create, a tenth changed, a tenth removed, compared with a plain implementation; and a feed with"
            + " thousands of followers concurrently with another large audience.")
public final class FeedBench implements Callable<Integer> {
  private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(10);
  private static final int TENTH = 10;
  private static final int WARM = 10_000;
  private static final int PLAIN_WARM = 1_000;

  /// The server's maximum heap in MB.
  private static final int HEAP = 512;

  @Mixin private ReportOptions options;

  @Option(
      names = "--items",
      defaultValue = "1000000",
      description = "of the feed (default 1000000; 30000 with --quick)")
  private int items;

  @Option(
      names = "--plain-items",
      defaultValue = "20000",
      description = "of the plain way (default 20000; 3000 with --quick)")
  private int plainItems;

  @Option(
      names = "--plain-workers",
      defaultValue = "2",
      description =
          "concurrent items of the plain implementation (default 2, as many as a feed has lanes; up to 16)")
  private int plainWorkers;

  @Option(
      names = "--others-per-second",
      defaultValue = "20",
      description = "ordinary writes of other sellers while the feed runs (default 20)")
  private double others;

  @Option(
      names = "--storm-items",
      defaultValue = "100000",
      description =
          "of a seller with thousands of followers, half of them repriced afterwards (default 100000; 3000 with --quick)")
  private int stormItems;

  @Option(
      names = "--followers",
      defaultValue = "5000",
      description = "of that seller (default 5000; 500 with --quick)")
  private int followers;

  @Option(
      names = "--other-followers",
      defaultValue = "20000",
      description = "of another seller who publishes meanwhile (default 20000; 3000 with --quick)")
  private int otherFollowers;

  /// An upload and its duration.
  private record Upload(String name, int items, double seconds, JsonNode task) {
    double perSecond() {
      return items / seconds;
    }
  }

  private long uploadNumber = 1;

  /// The effect on other sellers and recipients.
  private record Others(LoadResult writes, Histogram alerts, int crowdedEntries) {}

  @Override
  public Integer call() throws IOException, SQLException {
    if (options.quick()) {
      items = Math.min(items, 30_000);
      plainItems = Math.min(plainItems, 3_000);
      stormItems = Math.min(stormItems, 3_000);
      followers = Math.min(followers, 500);
      otherFollowers = Math.min(otherFollowers, 3_000);
    }
    try (TemporaryData data = TemporaryData.create("bench-feed");
        TorgProcess server =
            TorgProcess.of(
                FeedServer.class, data.path(), List.of("-Xms" + HEAP + "m", "-Xmx" + HEAP + "m"))) {
      return options.finishBench(measure(server));
    }
  }

  private Report measure(TorgProcess server) throws IOException, SQLException {
    StormPhase storm =
        new StormPhase(
            options, server, new StormPhase.Sizes(stormItems, followers, otherFollowers));
    storm.prepare();
    try (ApiClient anonymous = new ApiClient(server.address());
        PeakHeap heap = new PeakHeap(server.address());
        OtherAlerts alerts = new OtherAlerts(server.address(), "user:feed-large");
        OtherSellers sellers = new OtherSellers(server.address(), others)) {
      alerts.start();
      warmUp(server, anonymous);
      alerts.reset();
      sellers.reset();
      List<Upload> uploads = new ArrayList<>();
      ApiClient seller = anonymous.loggedInAs("feed-large");
      uploads.add(upload(seller, "create", 1, new FeedItems(items, 1, 0, 0)));
      uploads.add(upload(seller, "change", 2, new FeedItems(items, 2, TENTH, 0)));
      uploads.add(upload(seller, "remove", 3, new FeedItems(items, 2, TENTH, TENTH)));
      Others meanwhile = new Others(sellers.result(), alerts.result(), alerts.crowdedEntries());
      options.progress(
          "others meanwhile: writes %s; alerts p99 %d ms",
          meanwhile.writes(), meanwhile.alerts().getValueAtPercentile(99));
      awaitIdle(server);
      PlainRun plain =
          PlainRun.of(server.address(), anonymous.token("feed-plain"), plainItems, plainWorkers);
      options.progress("the plain way: %,.0f items/s", plain.perSecond());
      awaitIdle(server);
      StormPhase.Outcome stormed =
          storm.run(
              anonymous,
              alerts,
              (caller, name, feed) -> upload(caller, name, uploadNumber++, feed));
      return report(uploads, meanwhile, heap.megabytes(), plain, stormed);
    }
  }

  /// Warms up both implementations, so that neither pays for the JVM's first compilation.
  private void warmUp(TorgProcess server, ApiClient anonymous) {
    ApiClient seller = anonymous.loggedInAs("feed-warm");
    FeedItems warmUpItems = new FeedItems(Math.max(WARM, items / 50), 1, 0, 0);
    upload(seller, "warming", 1, warmUpItems);
    PlainRun.of(server.address(), anonymous.token("feed-plain-warm"), PLAIN_WARM, plainWorkers);
    awaitIdle(server);
  }

  private Upload upload(ApiClient seller, String name, long task, FeedItems feed) {
    options.progress("%s: %,d items ...", name, feed.size());
    long start = System.nanoTime();
    JsonNode done =
        seller.upload(
            "/v1/feeds/me?format=ndjson&taskId=" + task,
            BodyPublishers.ofInputStream(() -> new FeedFile(feed)));
    Upload upload = new Upload(name, feed.size(), (System.nanoTime() - start) / 1e9, done);
    options.progress("%s: %,.0f items/s, %s", name, upload.perSecond(), done);
    if (!done.path("status").asText().equals("FINISHED")) {
      throw new IllegalStateException(name + " was not finished: " + done);
    }
    return upload;
  }

  private static void awaitIdle(TorgProcess server) {
    Drained.await(server.running().database(), IDLE_TIMEOUT);
  }

  private Report report(
      List<Upload> uploads, Others others, double heap, PlainRun plain, StormPhase.Outcome storm) {
    LoadResult writes = others.writes();
    double seconds = uploads.stream().mapToDouble(Upload::seconds).sum();
    double perSecond = uploads.stream().mapToInt(Upload::items).sum() / seconds;
    double ratio = round(perSecond / plain.perSecond());
    long stormAlerts = (long) stormItems * followers;
    Report.Builder report =
        Report.of("feed", Instant.now())
            .param("items", items)
            .param("itemBytes", new FeedItems(1, 1, 0, 0).json(0).length())
            .param("plainItems", plainItems)
            .param("plainWorkers", plainWorkers)
            .param("maxHeapMb", HEAP)
            .param("othersPerSecond", this.others)
            .param("stormItems", stormItems)
            .param("followers", followers)
            .param("otherFollowers", otherFollowers)
            .result("itemsPerSecond", round(perSecond));
    uploads.forEach(
        upload -> report.result(upload.name() + "ItemsPerSecond", round(upload.perSecond())));
    return report
        .result("removed", uploads.getLast().task().path("removed").asInt())
        .result("peakHeapMb", heap)
        .result("othersWriteP50Millis", writes.percentileMillis(50))
        .result("othersWriteP99Millis", writes.percentileMillis(99))
        .result("othersFailures", writes.failures())
        .result("othersAlerts", others.alerts().getTotalCount())
        .result("othersAlertP50Millis", others.alerts().getValueAtPercentile(50))
        .result("othersAlertP99Millis", others.alerts().getValueAtPercentile(99))
        .result("bellEntriesOfTheFeedsFollower", others.crowdedEntries())
        .result("otherAudienceAloneSeconds", round(storm.baselineSeconds()))
        .result("otherAudienceBesideStormSeconds", round(storm.alongsideSeconds()))
        .result("stormSettledSeconds", round(storm.deliveryAfterWrite()))
        .result("stormOthersAlertP50Millis", storm.othersAlerts().getValueAtPercentile(50))
        .result("stormOthersAlertP99Millis", storm.othersAlerts().getValueAtPercentile(99))
        .baseline("plainItemsPerSecond", round(plain.perSecond()))
        .baseline("plainCreatePerSecond", round(plain.createPerSecond()))
        .ratio("feedVsPlain", ratio)
        .ratio("createVsPlain", round(uploads.getFirst().perSecond() / plain.createPerSecond()))
        .atLeast("feedVsPlain", 5, ratio)
        .atMost("peakHeapMb", HEAP, heap)
        .atMost("othersWriteP99Millis", 100, writes.percentileMillis(99))
        .atMost("othersAlertP99Millis", 1_000, others.alerts().getValueAtPercentile(99))
        .atMost("stormOthersAlertP99Millis", 1_000, storm.othersAlerts().getValueAtPercentile(99))
        .atMost("otherAudienceBesideStorm", 2, round(storm.ratio()))
        .target("stormAlerts", stormAlerts, storm.delivered(), storm.delivered() == stormAlerts)
        .build();
  }

  private static double round(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
