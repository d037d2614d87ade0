package dev.torg.bench.crash;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.bench.Report;
import dev.torg.bench.ReportOptions;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.Drained;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Kills Torg in the middle of a stream of writes, some rounds, and checks what is left.
@Command(
    name = "crash",
    description =
        "Kill -9 during writes, some rounds: every acknowledged write and its event are there, in order, counts exact.")
public final class VerifyCrash implements Callable<Integer> {
  private static final List<String> ARGUMENTS =
      List.of("--rate-limit", "1000000", "--log-level", "warn");
  private static final Duration DRAIN = Duration.ofSeconds(60);

  @Mixin private ReportOptions options;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "how many kills (default 5; 2 with --quick)")
  private int rounds;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "of the writers and the moments of the kills")
  private long seed;

  private final Ledger ledger = new Ledger();

  @Override
  public Integer call() throws IOException, InterruptedException {
    int kills = options.quick() ? Math.min(rounds, 2) : rounds;
    try (TemporaryData data = TemporaryData.create("verify-crash")) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int round = 1; round <= kills; round++) {
        long length = options.phase(Duration.ofSeconds(4)).toMillis() / 2 + random.nextInt(2000);
        writeAndKill(data, random.nextLong(), Duration.ofMillis(length));
        options.progress(
            "round %d of %d: %,d writes acknowledged so far", round, kills, ledger.size());
      }
      try (TorgProcess torg = TorgProcess.up(data.path(), ARGUMENTS)) {
        return options.finishVerify(check(torg, kills));
      }
    }
  }

  private void writeAndKill(TemporaryData data, long roundSeed, Duration length)
      throws InterruptedException {
    TorgProcess torg = TorgProcess.up(data.path(), ARGUMENTS);
    try (ApiClient anybody = new ApiClient(torg.address())) {
      Writers writers = Writers.start(anybody, ledger, roundSeed);
      LockSupport.parkNanos(length.toNanos());
      torg.kill();
      writers.awaitEnd();
    }
  }

  private Report check(TorgProcess torg, int kills) {
    Drained.await(torg.running().database(), DRAIN);
    TopicReading topic = TopicReading.of(torg.running().kafka(), "torg.offers");
    long lost = 0;
    long wrongCounts = 0;
    try (ApiClient anybody = new ApiClient(torg.address())) {
      for (String id : ledger.offers()) {
        lost += isThere(anybody, id) ? 0 : 1;
      }
      for (int i = 0; i < Writers.sellers(); i++) {
        wrongCounts += countsAreExact(anybody.loggedInAs(Writers.seller(i))) ? 0 : 1;
      }
    }
    return Report.of("verify-crash", Instant.now())
        .param("kills", kills)
        .param("sellers", Writers.sellers())
        .param("seed", seed)
        .result("acknowledgedWrites", ledger.size())
        .result("offers", ledger.offers().size())
        .result("eventsSeenTwice", topic.repeats())
        .target("offersLostOrOld", 0, lost, lost == 0)
        .target("eventsMissing", 0, missingEvents(topic), missingEvents(topic) == 0)
        .target("eventsOutOfOrder", 0, topic.outOfOrder(), topic.outOfOrder() == 0)
        .target("sellersWithWrongCounts", 0, wrongCounts, wrongCounts == 0)
        .target("writesAcknowledged", "> 0", ledger.size(), ledger.size() > 0)
        .build();
  }

  /// The offer as last acknowledged, or a later version whose answer the kill swallowed.
  private boolean isThere(ApiClient anybody, String id) {
    JsonNode offer = anybody.get("/v1/offers/" + id);
    SortedMap<Long, String> acknowledged = ledger.versions(id);
    long version = offer.path("version").asLong();
    String title = acknowledged.get(version);
    return title != null
        ? version == acknowledged.lastKey() && title.equals(offer.path("title").asText())
        : version > acknowledged.lastKey();
  }

  private long missingEvents(TopicReading topic) {
    long missing = 0;
    for (String id : ledger.offers()) {
      Map<Long, String> events = topic.versionsOf(id);
      missing +=
          ledger.versions(id).entrySet().stream()
              .filter(write -> !write.getValue().equals(events.get(write.getKey())))
              .count();
    }
    return missing;
  }

  private static boolean countsAreExact(ApiClient seller) {
    int counted = seller.get("/v1/sellers/me/presets").path("counts").path("ACTIVE").asInt();
    int listed = 0;
    String token = "";
    do {
      JsonNode page =
          seller.get("/v1/sellers/me/offers?preset=ACTIVE&pageSize=200&pageToken=" + token);
      listed += page.path("offers").size();
      token = page.path("nextPageToken").asText();
    } while (!token.isEmpty());
    return counted == listed;
  }
}
