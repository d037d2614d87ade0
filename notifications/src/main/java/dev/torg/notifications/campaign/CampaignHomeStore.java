package dev.torg.notifications.campaign;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// SQL over the homes of a campaign. A home is done when no recipient is left in it and none can be added; recipients are
/// added under the lock of its row, so that it is not done between their insert and their commit.
final class CampaignHomeStore {
  /// Recipients added to a home.
  record Added(Home home, int recipients) {}

  /// A home in which a criterion is not expanded to its end.
  record Expansion(Home home, String cursor) {}

  private static final BatchColumns<Home> HOMES = BatchColumns.of(home -> home);

  private static final BatchSql<Added> ADD =
      BatchColumns.of(Added::home)
          .ints("accepted", Added::recipients)
          .sql(
              """
              INSERT INTO campaign_home (home, campaign, closed, done, accepted, cursor)
              SELECT k.home, ?::text, false, false, k.accepted, '' FROM :rows(k) ORDER BY k.home
              ON CONFLICT (home, campaign) DO UPDATE
                SET accepted = campaign_home.accepted + excluded.accepted, done = false
              RETURNING closed
              """);

  private static final BatchSql<Home> CLOSE =
      HOMES.sql(
          """
          INSERT INTO campaign_home (home, campaign, closed, done, accepted, cursor)
          SELECT k.home, ?::text, true, true, 0, '' FROM :rows(k) ORDER BY k.home
          ON CONFLICT (home, campaign) DO UPDATE SET closed = true
          """);

  private static final BatchSql<Home> OPEN =
      HOMES.sql(
          """
          INSERT INTO campaign_home (home, campaign, closed, done, accepted, cursor)
          SELECT k.home, ?::text, false, false, 0, '' FROM :rows(k) ORDER BY k.home
          ON CONFLICT (home, campaign) DO NOTHING
          """);

  private static final BatchSql<Home> REOPEN =
      HOMES.sql(
          """
          INSERT INTO campaign_home (home, campaign, closed, done, accepted, cursor)
          SELECT k.home, ?::text, false, false, 0, '' FROM :rows(k) ORDER BY k.home
          ON CONFLICT (home, campaign) DO UPDATE SET done = false
          """);

  private static final BatchSql<Home> UNDONE =
      HOMES.sql(
          """
          SELECT h.home FROM :batch(k)
            JOIN campaign_home h ON h.home = k.home AND h.campaign = ? AND NOT h.done
           WHERE (h.closed OR NOT ?::boolean) AND :shard(h) ORDER BY h.home
          """);

  private static final BatchSql<Home> ENDED =
      HOMES.sql(
          """
          SELECT h.home FROM :batch(k)
            JOIN campaign_home h ON h.home = k.home AND h.campaign = ? AND NOT h.done
           WHERE (h.closed OR ?::boolean) AND :shard(h)
             AND NOT EXISTS (SELECT FROM campaign_recipient r
                              WHERE r.home = h.home AND r.campaign = ? AND :shard(r))
          """);

  private static final BatchSql<Home> LOCK_UNDONE =
      HOMES.sql(
          """
          SELECT h.home FROM :batch(k)
            JOIN campaign_home h ON h.home = k.home AND h.campaign = ? AND NOT h.done
           WHERE :shard(h) ORDER BY h.home FOR UPDATE OF h
          """);

  private static final BatchSql<Home> END =
      HOMES.sql(
          """
          UPDATE campaign_home h SET done = true FROM :batch(k)
           WHERE h.home = k.home AND h.campaign = ? AND NOT h.done AND (h.closed OR ?::boolean) AND :shard(h)
             AND NOT EXISTS (SELECT FROM campaign_recipient r
                              WHERE r.home = h.home AND r.campaign = ? AND :shard(r))
          """);

  private static final BatchSql<Home> EXPANDING =
      HOMES.sql(
          """
          SELECT h.home, h.cursor FROM :batch(k)
            JOIN campaign_home h ON h.home = k.home AND h.campaign = ? AND NOT h.closed
           WHERE :shard(h) ORDER BY h.home
          """);

  private static final String ADVANCE =
      """
      UPDATE campaign_home SET cursor = ?, closed = ? WHERE home = ? AND campaign = ? AND cursor = ? AND NOT closed
      """;

  private static final String ACCEPTED =
      "SELECT coalesce(sum(accepted), 0)::bigint FROM campaign_home WHERE home = ANY (?::int[]) AND"
          + " campaign = ?";

  /// Counts recipients that were inserted before in the transaction. Returns whether one of the homes is closed.
  boolean add(Tx tx, String campaign, Map<Home, Integer> recipients) throws SQLException {
    List<Added> added = new ArrayList<>();
    recipients.forEach((home, count) -> added.add(new Added(home, count)));
    return tx.sql(ADD, added).set(campaign).list(row -> row.booleanAt(1)).contains(true);
  }

  /// From the commit on no recipients are added to these homes; waits for transactions that add some.
  void close(Tx tx, String campaign, List<Home> homes) throws SQLException {
    tx.sql(CLOSE, homes).set(campaign).update();
  }

  /// A criterion is to be expanded in these homes.
  void open(Tx tx, String campaign, List<Home> homes) throws SQLException {
    tx.sql(OPEN, homes).set(campaign).update();
  }

  /// Those of the homes that are not done.
  ///
  /// @param onlyClosed those to which no recipients are added any more
  List<Home> undone(Tx tx, String campaign, List<Home> homes, boolean onlyClosed)
      throws SQLException {
    return tx.sql(UNDONE, homes).set(campaign).set(onlyClosed).list(row -> row.homeAt(1));
  }

  /// Those of the homes that are not done, but have no recipients and get no more.
  ///
  /// @param whileOpen also homes that are not closed
  List<Home> ended(Tx tx, String campaign, List<Home> homes, boolean whileOpen)
      throws SQLException {
    return tx.sql(ENDED, homes)
        .set(campaign)
        .set(whileOpen)
        .set(campaign)
        .list(row -> row.homeAt(1));
  }

  /// Marks those of the homes as done that have no recipients and get no more.
  ///
  /// Locks first: an UPDATE that waited for a transaction that adds recipients would not see them.
  void end(Tx tx, String campaign, List<Home> homes, boolean whileOpen) throws SQLException {
    List<Home> undone = tx.sql(LOCK_UNDONE, homes).set(campaign).list(row -> row.homeAt(1));
    tx.sql(END, undone).set(campaign).set(whileOpen).set(campaign).update();
  }

  /// A recipient moved into these homes.
  void reopen(Tx tx, String campaign, List<Home> homes) throws SQLException {
    tx.sql(REOPEN, homes).set(campaign).update();
  }

  /// Those of the homes in which the expansion has not ended.
  List<Home> expanding(Tx tx, String campaign, List<Home> homes) throws SQLException {
    return tx.sql(EXPANDING, homes).set(campaign).list(row -> row.homeAt(1));
  }

  /// The first of the homes in which the expansion has not ended.
  Optional<Expansion> nextExpansion(Tx tx, String campaign, List<Home> homes) throws SQLException {
    return tx.sql(EXPANDING, homes)
        .set(campaign)
        .first(row -> new Expansion(row.homeAt(1), row.textAt(2)));
  }

  /// Returns whether the expansion was still at this place.
  boolean advance(Tx tx, String campaign, Expansion from, String cursor, boolean last)
      throws SQLException {
    return tx.sql(ADVANCE)
            .set(cursor)
            .set(last)
            .set(from.home())
            .set(campaign)
            .set(from.cursor())
            .update()
        > 0;
  }

  /// The number of recipients in all homes.
  long accepted(Tx tx, String campaign) throws SQLException {
    int[] all = Home.all().stream().mapToInt(Home::number).toArray();
    return tx.sql(ACCEPTED).ints(all).set(campaign).first(row -> row.longAt(1)).orElse(0L);
  }
}
