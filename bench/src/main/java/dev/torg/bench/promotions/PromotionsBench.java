package dev.torg.bench.promotions;

import dev.torg.bench.load.LoadResult;
import dev.torg.bench.load.Phases;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import dev.torg.platform.db.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Quotes, purchases, webhooks beside a plain service, the end of services beside a plain loop, and reads.
@Command(
    name = "promotions",
    description =
        "Quotes, purchases, webhooks compared with a plain service, services that end at the same time compared with a"
            + " plain loop, and reads of active services.")
public final class PromotionsBench implements Callable<Integer> {
  private static final int SELLERS = 500;

  /// As many calls as keep batches full; twice the connections for the plain service.
  private static final int WEBHOOK_CALLERS = 256;

  private static final double MIN_WEBHOOKS_VS_PLAIN = 3;
  private static final double MIN_EXPIRIES_VS_PLAIN = 5;
  private static final Duration APPLY_TIMEOUT = Duration.ofMinutes(5);

  /// Written in the transaction that makes the payment APPLIED.
  private static final String APPLIED =
      "SELECT count(*) FROM promotion_application WHERE outcome = 1";

  /// Payments of earlier phases would be asked about at the provider during later ones.
  private static final String FORGET =
      "UPDATE payment SET check_at = NULL WHERE check_at IS NOT NULL";

  @Mixin private ReportOptions options;

  @Option(
      names = "--payments",
      defaultValue = "20000",
      description = "webhooks of each way, as many offers (default 20000)")
  private int payments;

  @Option(
      names = "--expiries",
      defaultValue = "1000000",
      description = "services that end at once (default 1000000)")
  private int expiries;

  @Option(
      names = "--warm-seconds",
      defaultValue = "15",
      description = "warm-up of each way, right before it is measured (default 15)")
  private int warmSeconds;

  @Override
  public Integer call() throws IOException {
    if (options.quick()) {
      payments = Math.min(payments, 2_000);
      expiries = Math.min(expiries, 50_000);
      warmSeconds = Math.min(warmSeconds, 2);
    }
    try (TemporaryData data = TemporaryData.create("bench-promotions");
        TorgProcess server = TorgProcess.of(PromotionsServer.class, data.path())) {
      return options.finishBench(measure(server));
    }
  }

  /// Webhooks of each way that are not measured.
  private int warmUp() {
    return Math.max(payments / 4, 200);
  }

  private Report measure(TorgProcess server) throws IOException {
    int offers = 2 * (payments + warmUp());
    Phases phases = new Phases(options, Duration.ofSeconds(warmSeconds));
    try (PromotionsClient client = new PromotionsClient(server.address(), SELLERS, offers);
        Database database = Database.connect("jdbc:" + server.running().database(), 1);
        Expiries services = new Expiries(server.running().database())) {
      options.progress("publishing %,d offers ...", offers);
      Phases.each(offers, client::publish);
      LoadResult quotes = phases.full("quotes", Phases.PLAIN_CALLERS, client::quote);
      Phases.each(offers, Phases.PLAIN_CALLERS, client::quote);
      LoadResult purchases = phases.full("purchases", Phases.PLAIN_CALLERS, client::purchase);
      Phases.each(offers, Phases.PLAIN_CALLERS, client::purchase);
      services.execute(FORGET);
      double applied =
          webhooks(
              client,
              database,
              "webhooks",
              0,
              new WebhookSender(server.address(), "/v1/payments/webhook"));
      WebhookSender plain = new WebhookSender("http://127.0.0.1:" + plainPort(server), "/webhook");
      double appliedPlainly = webhooks(client, database, "plain webhooks", offers / 2, plain);
      LoadResult reads = phases.full("active services", Phases.CALLERS, client::active);
      LoadResult halfReads = phases.half("active services", reads, client::active);
      options.progress("a plain loop ends services ...");
      Duration loop = options.phase(Duration.ofSeconds(20));
      double plainExpiries = services.byLoop(expiries / 10, loop) / seconds(loop);
      options.progress("%,d services end at once ...", expiries);
      double ended = expiries / seconds(services.byJobs(expiries));
      return report(quotes, purchases, applied, appliedPlainly, halfReads, ended, plainExpiries);
    }
  }

  private static String plainPort(TorgProcess server) throws IOException {
    return Files.readString(PlainPayments.portFile(server.data()));
  }

  /// Returns how many are applied a second, until the last one is, after others have warmed the same way up.
  private double webhooks(
      PromotionsClient client, Database database, String name, int from, WebhookSender sender) {
    options.progress("%s ...", name);
    send(client, database, sender, from, warmUp());
    Duration time = send(client, database, sender, from + warmUp(), payments);
    double perSecond = payments / seconds(time);
    options.progress("%s: %,.0f/s", name, perSecond);
    return perSecond;
  }

  private static Duration send(
      PromotionsClient client, Database database, WebhookSender sender, int from, int count) {
    long expected = applied(database) + count;
    long start = System.nanoTime();
    long deadline = start + APPLY_TIMEOUT.toNanos();
    sender.sendAll(from, from + count, WEBHOOK_CALLERS, client::payment);
    while (applied(database) < expected) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("not all webhooks were applied after " + APPLY_TIMEOUT);
      }
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static long applied(Database database) {
    return database.read(tx -> tx.sql(APPLIED).first(row -> row.longAt(1))).orElse(0L);
  }

  private Report report(
      LoadResult quotes,
      LoadResult purchases,
      double applied,
      double appliedPlainly,
      LoadResult reads,
      double ended,
      double endedPlainly) {
    double webhooksVsPlain = round(applied / appliedPlainly);
    double expiriesVsPlain = round(ended / endedPlainly);
    return Report.of("promotions", Instant.now())
        .param("webhooksOfEachWay", payments)
        .param("expiries", expiries)
        .param("sellers", SELLERS)
        .param("webhookCallers", WEBHOOK_CALLERS)
        .param("plainConnections", 32)
        .param("warmSeconds", warmSeconds)
        .result("quotesPerSecond", round(quotes.perSecond()))
        .result("quoteP99MillisAtFullLoad", quotes.percentileMillis(99))
        .result("purchasesPerSecond", round(purchases.perSecond()))
        .result("purchaseP99MillisAtFullLoad", purchases.percentileMillis(99))
        .result("webhooksAppliedPerSecond", round(applied))
        .result("expiriesPerSecond", round(ended))
        .result("activeServicesReadsPerSecond", round(reads.perSecond()))
        .result("activeServicesP50Millis", reads.percentileMillis(50))
        .result("activeServicesP99Millis", reads.percentileMillis(99))
        .result("failures", quotes.failures() + purchases.failures() + reads.failures())
        .baseline("plainWebhooksAppliedPerSecond", round(appliedPlainly))
        .baseline("plainExpiriesPerSecond", round(endedPlainly))
        .ratio("webhooksVsPlain", webhooksVsPlain)
        .ratio("expiriesVsPlain", expiriesVsPlain)
        .atLeast("webhooksVsPlain", MIN_WEBHOOKS_VS_PLAIN, webhooksVsPlain)
        .atLeast("expiriesVsPlain", MIN_EXPIRIES_VS_PLAIN, expiriesVsPlain)
        .build();
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  private static double round(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
