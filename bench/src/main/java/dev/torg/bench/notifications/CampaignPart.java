package dev.torg.bench.notifications;

import static dev.torg.bench.notifications.MeasuredServer.round;
import static dev.torg.bench.notifications.MeasuredServer.seconds;

import dev.torg.bench.report.Report;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/// A campaign into the bells, beside a plain `COPY` of the same rows and beside one transaction per recipient.
///
/// @param warmUp recipients of a campaign before the measured one, so that its code is compiled
record CampaignPart(
    MeasuredServer server, PlainBell plain, String title, String text, int recipients, int warmUp) {
  private static final double MIN_SHARE_OF_COPY = 0.25;
  private static final double MIN_TIMES_SINGLE_INSERTS = 10;
  private static final Duration SINGLE_INSERTS = Duration.ofSeconds(10);

  private static final String ENTRIES =
      "SELECT count(*) FROM notification WHERE key = 'campaign:service:bench/bench'";

  private static final String UNREAD =
      "SELECT coalesce(sum(count), 0) FROM unread WHERE owner LIKE 'user:campaign-%'";

  private static final String WRONG_UNREAD =
      "SELECT count(*) FROM unread WHERE owner LIKE 'user:campaign-%' AND count <> 1";

  /// The numbers after the campaign.
  private record Counts(long entries, long unread, long wrongUnread) {}

  void measure(Report.Builder report) throws SQLException, IOException {
    server.options().progress("one transaction per recipient ...");
    Duration time = server.options().phase(SINGLE_INSERTS);
    double singles = plain.insertEach("user:single-", time.toNanos()) / seconds(time);
    server.rest();
    server.options().progress("COPY of the rows of %,d recipients ...", recipients);
    double copied = recipients / seconds(plain.copy("user:copied-", recipients));
    server.rest();
    server.options().progress("a campaign to %,d recipients ...", warmUp);
    var _ = new CampaignRun(server.service(), "warm-up").run("user:warm-", warmUp, title, text);
    server.rest();
    server.options().progress("a campaign to %,d recipients ...", recipients);
    CampaignRun.Result campaign =
        new CampaignRun(server.service(), "bench").run("user:campaign-", recipients, title, text);
    Counts counts =
        new Counts(plain.count(ENTRIES), plain.count(UNREAD), plain.count(WRONG_UNREAD));
    add(report, campaign, counts, copied, singles);
  }

  private void add(
      Report.Builder report,
      CampaignRun.Result campaign,
      Counts counts,
      double copied,
      double singles) {
    double written = campaign.written() / seconds(campaign.write());
    boolean isExact =
        campaign.accepted() == recipients
            && campaign.written() == recipients
            && counts.entries == recipients
            && counts.unread == recipients
            && counts.wrongUnread == 0;
    report
        .param("recipients", recipients)
        .param("recipientsOfTheWarmUp", warmUp)
        .result("campaignRecipientsPerSecond", round(written))
        .result("campaignSeconds", round(seconds(campaign.write())))
        .result("uploadedRecipientsPerSecond", round(recipients / seconds(campaign.upload())))
        .result(
            "uploadAndCampaignRecipientsPerSecond",
            round(recipients / seconds(campaign.upload().plus(campaign.write()))))
        .result("campaignStatus", campaign.status())
        .result("campaignEntries", counts.entries)
        .result("campaignUnread", counts.unread)
        .baseline("copiedRecipientsPerSecond", round(copied))
        .baseline("singleTransactionsPerSecond", round(singles))
        .ratio("campaignVsCopy", round(written / copied))
        .ratio("campaignVsSingleTransactions", round(written / singles))
        .atLeast("campaignVsCopy", MIN_SHARE_OF_COPY, round(written / copied))
        .atLeast("campaignVsSingleTransactions", MIN_TIMES_SINGLE_INSERTS, round(written / singles))
        .target("campaignCountsAreExact", true, isExact, isExact);
  }
}
