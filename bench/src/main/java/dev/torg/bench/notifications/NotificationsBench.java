package dev.torg.bench.notifications;

import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationContent;
import dev.torg.bench.delivery.FcmAccount;
import dev.torg.bench.delivery.FcmServer;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.TemporaryData;
import dev.torg.bench.process.TorgProcess;
import dev.torg.bench.report.Report;
import dev.torg.bench.report.ReportOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// A campaign, reads of a large bell, individual sends and pushes, each compared with a plain way or a smaller size.
@Command(
    name = "notifications",
    description =
        "A campaign into the bell, compared with COPY and with one transaction per recipient; reads"
            + " of a large bell; individual sends, compared with a plain service; pushes to a local"
            + " Firebase.")
public final class NotificationsBench implements Callable<Integer> {
  private static final String CAMPAIGN = "campaign";
  private static final String READS = "reads";
  private static final String SENDS = "sends";
  private static final String PUSHES = "pushes";
  private static final List<String> ALL = List.of(CAMPAIGN, READS, SENDS, PUSHES);

  private static final String TITLE = "Spring sale";
  private static final String TEXT =
      "Half price on everything with a little green dot, until Sunday evening. See what is new near"
          + " you.";
  private static final Notification ENTRY =
      Notification.newBuilder().setTitle(TITLE).setText(TEXT).build();

  @Mixin private ReportOptions options = new ReportOptions();

  @Spec private CommandSpec spec;

  @Option(
      names = "--parts",
      split = ",",
      description = "some of campaign, reads, sends, pushes (default: all)")
  private List<String> parts = ALL;

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

  @Option(
      names = "--pushes",
      defaultValue = "300000",
      description = "pushes, each to another device (default 300000)")
  private int pushes;

  @Option(
      names = "--warm-seconds",
      defaultValue = "20",
      description = "warm-up of each way of sending (default 20)")
  private int warmSeconds;

  @Option(
      names = "--warm-recipients",
      defaultValue = "100000",
      description =
          "recipients of a campaign, and pushes, before the measured ones (default 100000)")
  private int warmRecipients;

  @Override
  public Integer call() throws IOException, SQLException {
    requireKnown();
    if (options.quick()) {
      recipients = Math.min(recipients, 20_000);
      entries = Math.min(entries, 10_000);
      reads = Math.min(reads, 200);
      pushes = Math.min(pushes, 5_000);
      warmSeconds = Math.min(warmSeconds, 1);
      warmRecipients = Math.min(warmRecipients, 5_000);
    }
    try (TemporaryData data = TemporaryData.create("bench-notifications");
        FcmServer fcm = new FcmServer(Duration.ZERO)) {
      Path account = data.path().resolveSibling("fcm.json");
      Files.createDirectories(account.getParent());
      FcmAccount.write(account, fcm);
      try (TorgProcess process = NotificationsServer.start(data.path(), account, fcm.url());
          ApiClient client = new ApiClient(process.address())) {
        return options.finishBench(measure(MeasuredServer.of(process, client, options), fcm));
      }
    }
  }

  private void requireKnown() {
    for (String part : parts) {
      if (!ALL.contains(part)) {
        throw new ParameterException(
            spec.commandLine(),
            "no part '%s': there are %s".formatted(part, String.join(", ", ALL)));
      }
    }
  }

  private Report measure(MeasuredServer server, FcmServer fcm) throws SQLException, IOException {
    Report.Builder report = Report.of("notifications", Instant.now()).param("parts", parts);
    try (PlainBell plain = new PlainBell(server.database(), ENTRY)) {
      if (parts.contains(CAMPAIGN)) {
        new CampaignPart(server, plain, TITLE, TEXT, recipients, warmRecipients).measure(report);
      }
      if (parts.contains(READS)) {
        new ReadsPart(server, plain, entries, reads).measure(report);
      }
      if (parts.contains(SENDS)) {
        new SendsPart(server, plain, content(), Duration.ofSeconds(warmSeconds)).measure(report);
      }
      if (parts.contains(PUSHES)) {
        new PushesPart(server, fcm, ENTRY, pushes, warmRecipients).measure(report);
      }
    }
    return report.build();
  }

  private static NotificationContent content() {
    return NotificationContent.newBuilder().setTitle(TITLE).setText(TEXT).build();
  }
}
