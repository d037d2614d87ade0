package dev.torg.alerts.delivery;

import dev.torg.platform.Home;
import dev.torg.platform.db.HomedSql;
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
  private static final HomedSql LOCK =
      HomedSql.of(
          """
          SELECT b.owner, b.day, b.today, b.hour, b.sources
            FROM unnest(?::int[], ?::text[]) AS k (home, owner)
            JOIN alert_budget b ON b.home = k.home AND b.owner = k.owner
           WHERE :home(b) ORDER BY b.home, b.owner FOR UPDATE OF b
          """);

  private static final String ADD =
      """
      INSERT INTO alert_budget (home, owner, day, today, hour, sources)
      SELECT k.home, k.owner, 0, 0, 0, '' FROM unnest(?::int[], ?::text[]) AS k (home, owner)
       ORDER BY k.home, k.owner
      ON CONFLICT (home, owner) DO NOTHING
      """;

  private static final HomedSql SET =
      HomedSql.of(
          """
          UPDATE alert_budget b
             SET day = k.day, today = k.today, hour = k.hour, sources = k.sources
            FROM unnest(?::int[], ?::text[], ?::int[], ?::int[], ?::int[], ?::text[])
              AS k (home, owner, day, today, hour, sources)
           WHERE b.home = k.home AND b.owner = k.owner AND :home(b)
          """);

  /// Locks the recipient's budget: until the transaction ends, no concurrent one notifies them of a new
  /// offer.
  public void hold(Tx tx, String recipient) throws SQLException {
    lock(tx, List.of(recipient), Instant.EPOCH);
  }

  Map<String, AlertBudget> lock(Tx tx, Collection<String> recipients, Instant now)
      throws SQLException {
    Map<String, AlertBudget> budgets = new TreeMap<>();
    List<String> all = List.copyOf(new TreeSet<>(recipients));
    lock(tx, all, now, budgets);
    List<String> missing = all.stream().filter(owner -> !budgets.containsKey(owner)).toList();
    if (!missing.isEmpty()) {
      tx.sql(ADD).homes(missing, Home::of).texts(missing, owner -> owner).update();
      lock(tx, missing, now, budgets);
    }
    return budgets;
  }

  private static void lock(Tx tx, List<String> owners, Instant now, Map<String, AlertBudget> into)
      throws SQLException {
    if (!owners.isEmpty()) {
      tx.sql(LOCK, owners, Home::of)
          .homes(owners, Home::of)
          .texts(owners, owner -> owner)
          .each(
              row -> {
                String owner = row.textAt(1);
                into.put(
                    owner,
                    AlertBudget.stored(
                        owner, row.intAt(2), row.intAt(3), row.intAt(4), row.textAt(5), now));
              });
    }
  }

  void write(Tx tx, Collection<AlertBudget> budgets) throws SQLException {
    List<AlertBudget> rows = List.copyOf(budgets);
    if (!rows.isEmpty()) {
      tx.sql(SET, rows, AlertBudget::home)
          .homes(rows, AlertBudget::home)
          .texts(rows, row -> row.owner)
          .ints(rows, row -> row.day)
          .ints(rows, AlertBudget::today)
          .ints(rows, row -> row.hour)
          .texts(rows, AlertBudget::sources)
          .update();
    }
  }
}
