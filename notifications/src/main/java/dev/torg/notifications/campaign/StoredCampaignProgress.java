package dev.torg.notifications.campaign;

import dev.torg.api.v1.CampaignCounts;
import dev.torg.notifications.delivery.CampaignProgress;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Counts in a row per home, outcome and reason: a campaign has no row that all its deliveries wait for.
public final class StoredCampaignProgress implements CampaignProgress {
  private static final BatchSql<Count> ADD =
      BatchColumns.of(Count::home)
          .texts("campaign", Count::campaign)
          .ints("outcome", count -> number(count.outcome()))
          .texts("reason", Count::reason)
          .ints("count", Count::messages)
          .sql(
              """
              INSERT INTO campaign_progress (home, campaign, outcome, reason, count)
              SELECT k.home, k.campaign, k.outcome, k.reason, k.count FROM :rows(k)
               ORDER BY k.home, k.campaign, k.outcome, k.reason
              ON CONFLICT (home, campaign, outcome, reason) DO UPDATE
                SET count = campaign_progress.count + excluded.count
              """);

  private static final String SUM =
      """
      SELECT outcome, reason, sum(count)::bigint FROM campaign_progress
       WHERE home = ANY (?::int[]) AND campaign = ? GROUP BY outcome, reason
      """;

  @Override
  public void add(Tx tx, List<Count> counts) throws SQLException {
    Map<List<Object>, Count> merged = new LinkedHashMap<>();
    for (Count count : counts) {
      merged.merge(
          List.of(count.home(), count.campaign(), count.outcome(), count.reason()),
          count,
          (a, b) ->
              new Count(
                  a.home(), a.campaign(), a.outcome(), a.reason(), a.messages() + b.messages()));
    }
    tx.sql(ADD, List.copyOf(merged.values())).update();
  }

  /// The counts of all homes, without the number of recipients.
  CampaignCounts.Builder sum(Tx tx, String campaign) throws SQLException {
    int[] all = Home.all().stream().mapToInt(Home::number).toArray();
    CampaignCounts.Builder counts = CampaignCounts.newBuilder();
    tx.sql(SUM)
        .ints(all)
        .set(campaign)
        .each(row -> add(counts, row.intAt(1), row.textAt(2), row.longAt(3)));
    return counts;
  }

  private static void add(CampaignCounts.Builder counts, int outcome, String reason, long count) {
    switch (Outcome.values()[outcome - 1]) {
      case WRITTEN -> counts.setWritten(counts.getWritten() + count);
      case DELIVERED -> counts.setDelivered(counts.getDelivered() + count);
      case SUPPRESSED -> counts.putSuppressed(reason, count);
      case FAILED -> counts.setFailed(counts.getFailed() + count);
    }
  }

  private static int number(Outcome outcome) {
    return outcome.ordinal() + 1;
  }
}
