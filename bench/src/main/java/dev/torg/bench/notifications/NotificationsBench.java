package dev.torg.bench.notifications;

import dev.torg.api.v1.Notification;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.Drained;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import dev.torg.platform.identity.TokenService;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.SettingValues;
import dev.torg.server.run.TokenServiceFactory;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A campaign into the bell, compared with `COPY` and with one transaction per recipient, and reads of a large bell.
@Command(
    name = "notifications",
    description =
        "A campaign into the bell, compared with COPY and with one transaction per recipient; reads"
            + " of a large bell.")
public final class NotificationsBench implements Callable<Integer> {
  private static final double MIN_SHARE_OF_COPY = 0.25;
  private static final double MIN_TIMES_SINGLE_INSERTS = 10;
  private static final double MAX_READ_RATIO = 2;
  private static final int FEW_ENTRIES = 10;
  private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(5);
  private static final String TITLE = "Spring sale";
  private static final String TEXT =
      "Half price on everything with a little green dot, until Sunday evening. See what is new near"
          + " you.";

  private static final String ENTRIES =
      "SELECT count(*) FROM notification WHERE key LIKE 'campaign:service:%'";

  private static final String UNREAD =
      "SELECT coalesce(sum(count), 0) FROM unread WHERE owner LIKE 'user:campaign-%'";

  @Mixin private ReportOptions options;

  @Option(
      names = "--recipients",
      defaultValue = "1000000",
      description = "recipients of the campaign (default 1000000)")
  private int recipients;

  @Option(
      names = "--entries",
      defaultValue = "100000",
      description = "entries of the large bell (default 100000)")
  private int entries;

  @Option(
      names = "--reads",
      defaultValue = "3000",
      description = "reads of each bell (default 3000)")
  private int reads;

  @Override
  public Integer call() throws IOException, SQLException {
    if (options.quick()) {
      recipients = Math.min(recipients, 100_000);
      reads = Math.min(reads, 500);
    }
    try (TemporaryData data = TemporaryData.create("bench-notifications");
        TorgProcess server = TorgProcess.of(NotificationsServer.class, data.path());
        ApiClient client = new ApiClient(server.address());
        PlainBell plain =
            new PlainBell(
                server.running().database(),
                Notification.newBuilder().setTitle(TITLE).setText(TEXT).build())) {
      return options.finishBench(measure(server, client, plain));
    }
  }

  /// The exact numbers after the campaign.
  private record Counts(long entries, long unread) {}

  private Report measure(TorgProcess server, ApiClient client, PlainBell plain)
      throws SQLException, IOException {
    ApiClient service = client.with(serviceToken(server));
    options.progress("one transaction per recipient ...");
    Duration phase = options.phase(Duration.ofSeconds(10));
    double singles = plain.insertEach("user:single-", phase.toNanos()) / seconds(phase);
    rest(server);
    options.progress("COPY of the rows of %,d recipients ...", recipients);
    long start = System.nanoTime();
    plain.copy("user:copied-", recipients);
    double copied = recipients / seconds(Duration.ofNanos(System.nanoTime() - start));
    rest(server);
    options.progress("a campaign to %,d recipients ...", recipients);
    CampaignRun.Result campaign =
        new CampaignRun(service, "bench").run("user:campaign-", recipients, TITLE, TEXT);
    Counts counts = new Counts(plain.count(ENTRIES), plain.count(UNREAD));
    options.progress("reading bells with %,d and %d entries ...", entries, FEW_ENTRIES);
    plain.copyEntries("user:many", entries);
    plain.copyEntries("user:few", FEW_ENTRIES);
    rest(server);
    BellReads bells = new BellReads(client.loggedInAs("many"), client.loggedInAs("few"), reads);
    return report(
        singles,
        copied,
        campaign,
        counts,
        bells.p99("/v1/notifications?pageSize=20"),
        bells.p99("/v1/notifications?pageSize=20&topic=news"),
        bells.p99("/v1/notifications/unreadCount"));
  }

  /// A phase does not pay for the dirty pages of the one before it.
  private static void rest(TorgProcess server) {
    Drained.awaitAndCheckpoint(server.running().database(), IDLE_TIMEOUT);
  }

  private static String serviceToken(TorgProcess server) {
    Configuration configuration =
        Configuration.of(
            SettingValues.read(
                Map.of(Setting.DATA, server.data().toString()), Map.of(), Optional.empty()));
    TokenService tokens = TokenServiceFactory.existing(configuration);
    return tokens
        .issue("service:bench", Set.of(dev.torg.platform.Caller.Role.SERVICE), Duration.ofHours(12))
        .token();
  }

  private Report report(
      double singles,
      double copied,
      CampaignRun.Result campaign,
      Counts counts,
      BellReads.Result list,
      BellReads.Result topicList,
      BellReads.Result count) {
    double written = campaign.written() / seconds(campaign.write());
    boolean isExact =
        campaign.accepted() == recipients
            && campaign.written() == recipients
            && counts.entries == recipients
            && counts.unread == recipients;
    return Report.of("notifications", Instant.now())
        .param("recipients", recipients)
        .param("entriesOfTheLargeBell", entries)
        .param("entriesOfTheSmallBell", FEW_ENTRIES)
        .param("readsOfEach", reads)
        .result("campaignRecipientsPerSecond", round(written))
        .result("campaignSeconds", round(seconds(campaign.write())))
        .result("uploadedRecipientsPerSecond", round(recipients / seconds(campaign.upload())))
        .result(
            "uploadAndCampaignRecipientsPerSecond",
            round(recipients / seconds(campaign.upload().plus(campaign.write()))))
        .result("campaignStatus", campaign.status())
        .result("campaignEntries", counts.entries)
        .result("campaignUnread", counts.unread)
        .result("listP99Millis", round(list.many()))
        .result("listOfATopicP99Millis", round(topicList.many()))
        .result("unreadCountP99Millis", round(count.many()))
        .baseline("copiedRecipientsPerSecond", round(copied))
        .baseline("singleTransactionsPerSecond", round(singles))
        .baseline("smallBellListP99Millis", round(list.few()))
        .baseline("smallBellListOfATopicP99Millis", round(topicList.few()))
        .baseline("smallBellUnreadCountP99Millis", round(count.few()))
        .ratio("campaignVsCopy", round(written / copied))
        .ratio("campaignVsSingleTransactions", round(written / singles))
        .ratio("largeBellListVsSmall", round(list.ratio()))
        .ratio("largeBellTopicListVsSmall", round(topicList.ratio()))
        .ratio("largeBellUnreadCountVsSmall", round(count.ratio()))
        .atLeast("campaignVsCopy", MIN_SHARE_OF_COPY, round(written / copied))
        .atLeast("campaignVsSingleTransactions", MIN_TIMES_SINGLE_INSERTS, round(written / singles))
        .target("campaignCountsAreExact", true, isExact, isExact)
        .atMost("largeBellListVsSmall", MAX_READ_RATIO, round(list.ratio()))
        .atMost("largeBellTopicListVsSmall", MAX_READ_RATIO, round(topicList.ratio()))
        .atMost("largeBellUnreadCountVsSmall", MAX_READ_RATIO, round(count.ratio()))
        .build();
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  private static double round(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
