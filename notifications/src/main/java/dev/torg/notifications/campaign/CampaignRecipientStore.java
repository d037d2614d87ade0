package dev.torg.notifications.campaign;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// SQL over the recipients of campaigns that wait. The recipients of a call are of one shard.
final class CampaignRecipientStore {
  /// An offset that does not apply.
  static final int NO_OFFSET = -1;

  /// A recipient and the seconds after the campaign's time at which it is due.
  record Waiting(String recipient, int dueOffset) {
    Home home() {
      return Home.of(recipient);
    }
  }

  private static final BatchSql<Waiting> INSERT =
      BatchColumns.of(Waiting::home)
          .texts("recipient", Waiting::recipient)
          .ints("due_offset", Waiting::dueOffset)
          .sql(
              """
              INSERT INTO campaign_recipient (home, campaign, recipient, due_offset)
              SELECT k.home, ?::text, k.recipient, nullif(k.due_offset, %d) FROM :rows(k)
               ORDER BY k.home, k.recipient
              ON CONFLICT (home, campaign, recipient) DO NOTHING
              RETURNING home
              """
                  .formatted(NO_OFFSET));

  private static final BatchColumns<Home> HOMES = BatchColumns.of(home -> home);

  /// One range of the primary key per home, until the page is full.
  private static final BatchSql<Home> PAGE =
      HOMES.sql(
          """
          SELECT r.recipient FROM :batch(k) CROSS JOIN LATERAL (
            SELECT c.recipient FROM campaign_recipient c
             WHERE c.home = k.home AND c.campaign = ? AND :shard(c)
             ORDER BY c.home, c.campaign, c.recipient LIMIT ?) AS r
           LIMIT ?
          """);

  private static final BatchSql<Home> DUE_PAGE =
      HOMES.sql(
          """
          SELECT r.recipient FROM :batch(k) CROSS JOIN LATERAL (
            SELECT c.recipient FROM campaign_recipient c
             WHERE c.home = k.home AND c.campaign = ? AND c.due_offset <= ? AND :shard(c)
             ORDER BY c.home, c.campaign, c.due_offset LIMIT ?) AS r
           LIMIT ?
          """);

  private static final BatchSql<String> DELETE =
      BatchColumns.<String>of(Home::of)
          .texts("recipient", recipient -> recipient)
          .sql(
              """
              DELETE FROM campaign_recipient r USING :batch(k)
               WHERE r.home = k.home AND r.campaign = ? AND r.recipient = k.recipient AND :shard(r)
              """);

  /// Returns how many of each home were not there before.
  Map<Home, Integer> insert(Tx tx, String campaign, List<Waiting> recipients) throws SQLException {
    Map<Home, Integer> inserted = new HashMap<>();
    tx.sql(INSERT, recipients)
        .set(campaign)
        .each(row -> inserted.merge(row.homeAt(1), 1, Integer::sum));
    return inserted;
  }

  /// Recipients of these homes that are due.
  List<String> page(Tx tx, String campaign, List<Home> homes, int limit) throws SQLException {
    return tx.sql(PAGE, homes).set(campaign).set(limit).set(limit).list(row -> row.textAt(1));
  }

  /// The same where recipients are due at different times.
  List<String> duePage(Tx tx, String campaign, List<Home> homes, int dueOffset, int limit)
      throws SQLException {
    return tx.sql(DUE_PAGE, homes)
        .set(campaign)
        .set(dueOffset)
        .set(limit)
        .set(limit)
        .list(row -> row.textAt(1));
  }

  void delete(Tx tx, String campaign, List<String> recipients) throws SQLException {
    tx.sql(DELETE, recipients).set(campaign).update();
  }
}
