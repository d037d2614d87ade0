package dev.torg.bench.delivery;

import dev.torg.bench.alerts.ApiHost;
import dev.torg.bench.delivery.DeliveryComparison.OwnedBell;
import dev.torg.bench.delivery.DeliveryTables.Counts;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.ExternalDatabase;
import dev.torg.bench.process.ServiceToken;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Two processes write and deliver notifications; a third serves calls and embeds Kafka and, unless a database is given,
/// PostgreSQL. Recipients have Android devices, and Firebase is a server in this process, which records every message.
/// After the [rounds][DeliveryRounds] the bells and the messages are compared with what was sent.
@Command(
    name = "delivery",
    description =
        "Kill -9 processes that deliver notifications, some rounds, and let the provider of pushes"
            + " refuse for a while: every notification is in the bell exactly once, and pushed to"
            + " each device at most once, and exactly once unless it was in flight at a kill.")
public final class VerifyDelivery implements Callable<Integer> {
  private static final int OWNERS = 120;

  /// One recipient in this number has two devices.
  private static final int ONE_IN_HAS_TWO_DEVICES = 4;

  private static final Duration TIMEOUT = Duration.ofMinutes(4);

  private static final Duration MAX_RESPONSE_TIME = Duration.ofMillis(300);

  /// How long a message that should not be sent is waited for.
  private static final Duration DUPLICATE_WAIT = Duration.ofSeconds(5);

  @Mixin private ReportOptions options;

  @Mixin private ExternalDatabase externalDatabase;

  @Option(
      names = "--rounds",
      defaultValue = "12",
      description = "how many (default 12; 3 with --quick)")
  private int rounds;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "of the random choice of recipients, victims and times")
  private long seed;

  @Override
  public Integer call() throws IOException {
    rounds = options.quick() ? Math.min(rounds, 3) : rounds;
    Optional<String> database = externalDatabase.requireEmpty();
    try (TemporaryData data = TemporaryData.create("verify-delivery");
        FcmServer fcm = new FcmServer(MAX_RESPONSE_TIME);
        TorgProcess host = ApiHost.start(data.path(), database);
        ApiClient anonymous = new ApiClient(host.address());
        DeliveryTables tables = new DeliveryTables(host)) {
      Path credentials = FcmAccount.write(data.path().resolveSibling("fcm.json"), fcm);
      try (DeliveryWorkers workers = DeliveryWorkers.start(host, credentials, fcm.url())) {
        SplittableRandom random = new SplittableRandom(seed);
        NotificationSource source =
            new NotificationSource(
                anonymous.with(ServiceToken.of(host)), register(anonymous), random);
        DeliveryRounds played = new DeliveryRounds(source, workers, fcm, random);
        play(played, source, tables, fcm);
        Report.Builder report = sent(source, played).param("database", host.describedDatabase());
        received(report, source, workers, fcm, tables);
        return options.finishVerify(report.build());
      }
    }
  }

  private static List<DeviceOwner> register(ApiClient anonymous) {
    return IntStream.range(0, OWNERS)
        .mapToObj(
            i ->
                DeviceOwner.register(
                    anonymous, "reader" + i, i % ONE_IN_HAS_TWO_DEVICES == 0 ? 2 : 1))
        .toList();
  }

  private void play(
      DeliveryRounds played, NotificationSource source, DeliveryTables tables, FcmServer fcm) {
    for (int round = 1; round <= rounds; round++) {
      String done = played.play(round);
      Counts counts = tables.awaitDelivery(source.expectedEntries(), TIMEOUT);
      options.progress(
          "round %d of %d: %s; %,d of %,d entries written, %,d pushes accepted and %,d refused so"
              + " far, %,d queued",
          round,
          rounds,
          done,
          counts.entries(),
          source.expectedEntries(),
          fcm.accepted().size(),
          fcm.refused(),
          counts.queued());
    }
    LockSupport.parkNanos(DUPLICATE_WAIT.toNanos());
  }

  private Report.Builder sent(NotificationSource source, DeliveryRounds played) {
    return Report.of("verify-delivery", Instant.now())
        .param("rounds", rounds)
        .param("recipients", OWNERS)
        .param("notificationsPerRound", DeliveryRounds.NOTIFICATIONS)
        .param("seed", seed)
        .result("outages", played.outages())
        .result("notificationsSent", source.sent())
        .result("requestsRepeated", source.repeated())
        .result("campaigns", source.campaigns())
        .result("bellEntries", source.expectedEntries());
  }

  private static void received(
      Report.Builder report,
      NotificationSource source,
      DeliveryWorkers workers,
      FcmServer fcm,
      DeliveryTables tables) {
    List<OwnedBell> bells = source.owners().stream().map(owner -> bell(owner, source)).toList();
    DeliveryComparison compared =
        new DeliveryComparison(bells, fcm.accepted(), tables.unfinished(), workers.kills());
    report
        .result("kills", workers.kills().size())
        .result("pushesExpected", compared.expectedPushes())
        .result("pushesDelivered", compared.deliveredPushes())
        .result("pushesRefused", fcm.refused())
        .result("attemptsInFlightAtKills", compared.attemptsInFlight())
        .result("pushesLostInFlight", compared.lostInFlight())
        .result("attemptsByOutcome", tables.outcomes());
    none(report, "bellEntriesMissing", compared.missingEntries());
    none(report, "bellEntriesDoubled", compared.doubledEntries());
    none(report, "bellEntriesUnexpected", compared.unexpectedEntries());
    none(report, "recipientsWithWrongUnreadCounts", compared.wrongUnreadCounts());
    none(report, "campaignsWithWrongCounts", source.wrongCampaigns());
    none(report, "pushesDoubled", compared.doubledPushes());
    none(report, "pushesUnexpected", compared.unexpectedPushes());
    none(report, "pushesLostOtherwise", compared.lostPushes());
    none(report, "attemptsUnfinishedWithoutAKill", compared.unexplainedAttempts());
    none(report, "operationsStillQueued", tables.counts().queued());
    long delivered = compared.deliveredPushes();
    report.target("pushesDelivered", "> 0", delivered, delivered > 0);
  }

  private static OwnedBell bell(DeviceOwner owner, NotificationSource source) {
    return new OwnedBell(
        owner.subject(),
        owner.deviceTokens(),
        source.expected(owner),
        owner.bell(),
        owner.unread());
  }

  private static void none(Report.Builder report, String name, long value) {
    report.target(name, 0, value, value == 0);
  }
}
