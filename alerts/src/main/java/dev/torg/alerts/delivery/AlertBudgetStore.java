package dev.torg.alerts.delivery;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// SQL over budgets, one row per recipient. [#lock] locks the rows in the order of their keys, so of two
/// transactions about one recipient the second sees the counts of the first.
public final class AlertBudgetStore {
  private static final BatchColumns<String> OWNERS =
      BatchColumns.<String>of(Home::of).texts("owner", owner -> owner);

  private static final BatchSql<String> LOCK =
      OWNERS.sql(
          """
          SELECT b.owner, b.day, b.today, b.hour, b.sources
            FROM :batch(k)
            JOIN alert_budget b ON b.home = k.home AND b.owner = k.owner
           WHERE :shard(b) ORDER BY b.home, b.owner FOR UPDATE OF b
          """);

  private static final BatchSql<String> ADD =
      OWNERS.sql(
          """
          INSERT INTO alert_budget (home, owner, day, today, hour, sources)
          SELECT k.home, k.owner, 0, 0, 0, '' FROM :rows(k)
           ORDER BY k.home, k.owner
          ON CONFLICT (home, owner) DO NOTHING
          """);

  private static final BatchSql<AlertBudget> SET =
      BatchColumns.of(AlertBudget::home)
          .texts("owner", row -> row.owner)
          .ints("day", row -> row.day)
          .ints("today", AlertBudget::today)
          .ints("hour", row -> row.hour)
          .texts("sources", AlertBudget::sources)
          .sql(
              """
              UPDATE alert_budget b
                 SET day = k.day, today = k.today, hour = k.hour, sources = k.sources
                FROM :batch(k)
               WHERE b.home = k.home AND b.owner = k.owner AND :shard(b)
              """);

  /// Locks the recipient's budget: until the transaction ends, no concurrent one notifies them of a new
  /// offer.
  public void lockOne(Tx tx, String recipient) throws SQLException {
    lock(tx, List.of(recipient), Instant.EPOCH);
  }

  Map<String, AlertBudget> lock(Tx tx, Collection<String> recipients, Instant now)
      throws SQLException {
    Map<String, AlertBudget> budgets = new TreeMap<>();
    List<String> all = List.copyOf(new TreeSet<>(recipients));
    lock(tx, all, now, budgets);
    List<String> missing = all.stream().filter(owner -> !budgets.containsKey(owner)).toList();
    tx.sql(ADD, missing).update();
    lock(tx, missing, now, budgets);
    return budgets;
  }

  private static void lock(Tx tx, List<String> owners, Instant now, Map<String, AlertBudget> into)
      throws SQLException {
    tx.sql(LOCK, owners)
        .each(
            row -> {
              String owner = row.textAt(1);
              into.put(
                  owner,
                  AlertBudget.stored(
                      owner, row.intAt(2), row.intAt(3), row.intAt(4), row.textAt(5), now));
            });
  }

  void write(Tx tx, Collection<AlertBudget> budgets) throws SQLException {
    tx.sql(SET, List.copyOf(budgets)).update();
  }
}
