package dev.torg.bench.feed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import dev.torg.platform.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Kills Torg at random times of a feed, uploads it again under the same number, and compares the result with
/// the feed's contents. Then the same for a feed with changed and missing items, whose removal is killed, too.
@Command(
    name = "feed",
    description =
        "Kill -9 at random times of a large feed, resumed to the exact result: every item once, in its last version,"
            + " what is missing removed, counts exact.")
public final class VerifyFeed implements Callable<Integer> {
  private static final List<String> ARGUMENTS =
      List.of("--rate-limit", "1000000", "--log-level", "warn");
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final int TENTH = 10;
  private static final String SELLER = "feed-verify";

  @Mixin private ReportOptions options;

  @Option(
      names = "--items",
      defaultValue = "50000",
      description = "of the feed (default 50000; 5000 with --quick)")
  private int items;

  @Option(
      names = "--kills",
      defaultValue = "3",
      description = "of each of the two feeds (default 3; 1 with --quick)")
  private int kills;

  @Option(names = "--seed", defaultValue = "1", description = "of the moments of the kills")
  private long seed;

  private int killed;

  @Override
  public Integer call() throws IOException {
    if (options.quick()) {
      items = Math.min(items, 5_000);
      kills = Math.min(kills, 1);
    }
    FeedItems first = new FeedItems(items, 1, 0, 0);
    FeedItems second = new FeedItems(items + items / TENTH, 2, TENTH, TENTH);
    try (TemporaryData data = TemporaryData.create("verify-feed")) {
      SplittableRandom random = new SplittableRandom(seed);
      JsonNode created = killAndResume(data, random, 1, first);
      JsonNode changed = killAndResume(data, random, 2, second);
      try (TorgProcess torg = TorgProcess.up(data.path(), ARGUMENTS);
          ApiClient anonymous = new ApiClient(torg.address())) {
        return options.finishVerify(
            report(FeedOutcome.of(anonymous.loggedInAs(SELLER), second), created, changed));
      }
    }
  }

  /// Returns the task when it is finished.
  private JsonNode killAndResume(
      TemporaryData data, SplittableRandom random, long task, FeedItems feed) {
    Duration maxDelay = Duration.ofMillis(1_000 + items / 5);
    for (int kill = 1; kill <= kills; kill++) {
      Duration after = Duration.ofMillis(random.nextLong(maxDelay.toMillis()) + 200);
      Optional<JsonNode> finished = uploadAndKill(data, task, feed, after);
      options.progress(
          "task %d, kill %d of %d after %d ms%s",
          task, kill, kills, after.toMillis(), finished.isPresent() ? ", it was finished" : "");
      if (finished.isPresent()) {
        return finished.get();
      }
    }
    try (TorgProcess torg = TorgProcess.up(data.path(), ARGUMENTS);
        ApiClient anonymous = new ApiClient(torg.address())) {
      return finished(anonymous.loggedInAs(SELLER), task, feed);
    }
  }

  private Optional<JsonNode> uploadAndKill(
      TemporaryData data, long task, FeedItems feed, Duration after) {
    TorgProcess torg = TorgProcess.up(data.path(), ARGUMENTS);
    try (ApiClient anonymous = new ApiClient(torg.address())) {
      ApiClient seller = anonymous.loggedInAs(SELLER);
      CompletableFuture<Optional<JsonNode>> upload =
          CompletableFuture.supplyAsync(() -> tryToUpload(seller, task, feed));
      LockSupport.parkNanos(after.toNanos());
      if (random(after)) {
        torg.killAll();
      } else {
        torg.kill();
      }
      killed++;
      return upload.join();
    }
  }

  /// Half of the kills include PostgreSQL.
  private static boolean random(Duration after) {
    return after.toMillis() % 2 == 0;
  }

  /// Empty when the server became unavailable.
  private static Optional<JsonNode> tryToUpload(ApiClient seller, long task, FeedItems feed) {
    try {
      JsonNode done = upload(seller, task, feed);
      return Optional.of(done)
          .filter(response -> response.path("status").asText().equals("FINISHED"));
    } catch (UncheckedIOException | Failure e) {
      return Optional.empty();
    }
  }

  /// A task that was interrupted while it removed items continues by itself and accepts no upload.
  private static JsonNode finished(ApiClient seller, long task, FeedItems feed) {
    try {
      upload(seller, task, feed);
    } catch (Failure e) {
      if (e.kind() != Failure.Kind.CONFLICT) {
        throw e;
      }
    }
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    JsonNode current = seller.get("/v1/feeds/me/tasks/" + task);
    while (!current.path("status").asText().equals("FINISHED")) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("not finished after " + TIMEOUT + ": " + current);
      }
      LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
      current = seller.get("/v1/feeds/me/tasks/" + task);
    }
    return current;
  }

  private static JsonNode upload(ApiClient seller, long task, FeedItems feed) {
    return seller.upload(
        "/v1/feeds/me?format=ndjson&taskId=" + task,
        BodyPublishers.ofInputStream(() -> new FeedFile(feed)));
  }

  private Report report(FeedOutcome outcome, JsonNode created, JsonNode changed) {
    int removed = items / TENTH;
    int added = new FeedItems(items + items / TENTH, 2, TENTH, TENTH).size() - (items - removed);
    return Report.of("verify-feed", Instant.now())
        .param("items", items)
        .param("kills", killed)
        .param("seed", seed)
        .result("firstTask", created.toString())
        .result("secondTask", changed.toString())
        .target("offersMissing", 0, outcome.missing(), outcome.missing() == 0)
        .target("offersTooMany", 0, outcome.unexpected(), outcome.unexpected() == 0)
        .target("offersWrong", 0, outcome.wrong(), outcome.wrong() == 0)
        .target("countIsExact", outcome.listed(), outcome.counted(), outcome.isExact())
        .target("created", items, created.path("created").asInt(), is(created, "created", items))
        .target(
            "removed", removed, changed.path("removed").asInt(), is(changed, "removed", removed))
        .target(
            "createdLater", added, changed.path("created").asInt(), is(changed, "created", added))
        .target("killed", "> 0", killed, killed > 0)
        .build();
  }

  private static boolean is(JsonNode task, String count, int expected) {
    return task.path(count).asInt() == expected;
  }
}
