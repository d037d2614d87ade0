package dev.torg.bench.offers;

import dev.torg.bench.load.LoadResult;
import dev.torg.bench.load.Phases;
import dev.torg.bench.process.Drained;
import dev.torg.bench.process.ExternalDatabase;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Durable updates and reads of 2 kB offers through gRPC, compared with a plain implementation and an empty
/// call, in one run.
@Command(
    name = "offers",
    description =
        "Durable updates and reads through gRPC, compared with a plain implementation and an empty call.")
public final class OffersBench implements Callable<Integer> {
  private static final int SELLERS = 1_000;
  private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(5);

  @Mixin private ReportOptions options;

  @Mixin private ExternalDatabase externalDatabase;

  @Option(
      names = "--offers",
      defaultValue = "200000",
      description = "how many are stored (default 200000)")
  private int offers;

  @Option(
      names = "--large-seller",
      defaultValue = "1000000",
      description = "offers of the large seller (default 1000000)")
  private int large;

  @Option(
      names = "--warm-seconds",
      defaultValue = "40",
      description = "warm-up of each way, right before it is measured (default 40)")
  private int warmSeconds;

  @Override
  public Integer call() throws IOException {
    if (options.quick()) {
      offers = Math.min(offers, 20_000);
      large = Math.min(large, 50_000);
      warmSeconds = Math.min(warmSeconds, 8);
    }
    Optional<String> database = externalDatabase.requireEmpty();
    try (TemporaryData data = TemporaryData.create("bench-offers");
        TorgProcess server = TorgProcess.of(OffersServer.class, data.path(), database)) {
      return options.finishBench(measure(server));
    }
  }

  private Report measure(TorgProcess server) {
    Phases phases = new Phases(options, Duration.ofSeconds(warmSeconds));
    try (OffersClient client = new OffersClient(server.address(), SELLERS, offers)) {
      options.progress("publishing %,d offers ...", offers);
      Phases.each(offers, client::publish);
      awaitIdle(server);
      LoadResult writes = phases.full("updates", Phases.CALLERS, client::update);
      awaitIdle(server);
      LoadResult halfWrites = phases.half("updates", writes, client::update);
      awaitIdle(server);
      LoadResult plainWrites =
          phases.full("plain updates", Phases.PLAIN_CALLERS, client::updatePlainly);
      awaitIdle(server);
      LoadResult reads = phases.full("reads", Phases.CALLERS, client::read);
      LoadResult halfReads = phases.half("reads", reads, client::read);
      LoadResult plainReads = phases.full("plain reads", Phases.PLAIN_CALLERS, client::readPlainly);
      LoadResult empty = phases.full("empty calls", Phases.CALLERS, client::nothing);
      Report.Builder report =
          report(writes, plainWrites, reads, plainReads, empty, halfWrites, halfReads)
              .param("database", server.describedDatabase());
      sellers(server, phases.time(), report);
      return report.build();
    }
  }

  /// Prevents that a phase pays for the one before it.
  private static void awaitIdle(TorgProcess server) {
    Drained.awaitAndCheckpoint(server, IDLE_TIMEOUT);
  }

  private Report.Builder report(
      LoadResult writes,
      LoadResult plainWrites,
      LoadResult reads,
      LoadResult plainReads,
      LoadResult empty,
      LoadResult halfWrites,
      LoadResult halfReads) {
    double writesVsPlain = writes.perSecond() / plainWrites.perSecond();
    double readsVsPlain = reads.perSecond() / plainReads.perSecond();
    double readsVsEmpty = reads.perSecond() / empty.perSecond();
    return Report.of("offers", Instant.now())
        .param("storedOffers", offers)
        .param("offerBytes", 2000)
        .param("callers", Phases.CALLERS)
        .param("plainConnections", 32)
        .param("plainCallers", Phases.PLAIN_CALLERS)
        .param("warmSeconds", warmSeconds)
        .result("writesPerSecond", round(writes.perSecond()))
        .result("writeP50Millis", halfWrites.percentileMillis(50))
        .result("writeP99Millis", halfWrites.percentileMillis(99))
        .result("writeP99MillisAtFullLoad", writes.percentileMillis(99))
        .result("readsPerSecond", round(reads.perSecond()))
        .result("readP50Millis", halfReads.percentileMillis(50))
        .result("readP99Millis", halfReads.percentileMillis(99))
        .result("readP99MillisAtFullLoad", reads.percentileMillis(99))
        .result(
            "failures",
            writes.failures() + reads.failures() + halfWrites.failures() + halfReads.failures())
        .baseline("plainWritesPerSecond", round(plainWrites.perSecond()))
        .baseline("plainWriteP99Millis", plainWrites.percentileMillis(99))
        .baseline("plainReadsPerSecond", round(plainReads.perSecond()))
        .baseline("plainReadP99Millis", plainReads.percentileMillis(99))
        .baseline("emptyRpcPerSecond", round(empty.perSecond()))
        .ratio("writesVsPlain", round(writesVsPlain))
        .ratio("readsVsPlain", round(readsVsPlain))
        .ratio("readsVsEmptyRpc", round(readsVsEmpty))
        .atLeast("writesVsPlain", 5, round(writesVsPlain))
        .atLeast("writesPerSecond", 8_000, round(writes.perSecond()))
        .atLeast("readsVsPlain", 2.2, round(readsVsPlain))
        .atLeast("readsPerSecond", 20_000, round(reads.perSecond()))
        .atLeast("readsVsEmptyRpc", 0.35, round(readsVsEmpty))
        .atMost("writeP99MillisAtHalfLoad", 50, halfWrites.percentileMillis(99))
        .atMost("readP99MillisAtHalfLoad", 20, halfReads.percentileMillis(99));
  }

  private void sellers(TorgProcess server, Duration time, Report.Builder report) {
    options.progress("making a seller of %,d offers ...", large);
    LargeSeller sellers = new LargeSeller(server.address());
    String database = server.running().database();
    LargeSeller.create(database, "user:large", large);
    LargeSeller.create(database, "user:small", 10);
    Duration part = time.dividedBy(4);
    List.of("small", "large").forEach(user -> sellers.pages(user, part));
    double page =
        sellers.pages("large", part).percentileMillis(50)
            / sellers.pages("small", part).percentileMillis(50);
    double counts =
        sellers.counts("large", part).percentileMillis(50)
            / sellers.counts("small", part).percentileMillis(50);
    report
        .param("largeSeller", large)
        .ratio("largeSellerPageVsSmall", round(page))
        .ratio("largeSellerCountsVsSmall", round(counts))
        .atMost("largeSellerPageVsSmall", 2, round(page))
        .atMost("largeSellerCountsVsSmall", 2, round(counts));
  }

  private static double round(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
