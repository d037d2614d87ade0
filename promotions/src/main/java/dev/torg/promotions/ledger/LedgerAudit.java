package dev.torg.promotions.ledger;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import java.util.ArrayList;
import java.util.List;

/// Recomputes the ledgers of a home from their entries. Blocks.
public final class LedgerAudit {
  private static final String WRONG_BALANCES =
      """
      SELECT coalesce(a.seller, e.seller), coalesce(a.currency, e.currency),
             coalesce(a.balance, 0), coalesce(e.sum, 0)
        FROM (SELECT seller, currency, balance FROM ledger_account WHERE home = ?) a
        FULL JOIN (SELECT seller, currency, sum(amount)::bigint AS sum FROM ledger_entry
                    WHERE home = ? AND leg = 0 GROUP BY seller, currency) e
          ON e.seller = a.seller AND e.currency = a.currency
       WHERE coalesce(a.balance, 0) <> coalesce(e.sum, 0) OR coalesce(a.balance, 0) < 0
       ORDER BY 1, 2
      """;

  private static final String UNBALANCED =
      """
      SELECT seller, currency, id FROM ledger_entry WHERE home = ?
       GROUP BY seller, currency, id
      HAVING sum(amount) <> 0 OR count(*) <> 2 OR min(leg) <> 0 OR max(leg) = 0
       ORDER BY 1, 2, 3
      """;

  private static final String OVER_REFUNDED =
      """
      SELECT r.seller, r.currency, r.refers_to
        FROM ledger_entry r
        LEFT JOIN ledger_entry p
          ON p.home = r.home AND p.seller = r.seller AND p.currency = r.currency
         AND p.reference = r.refers_to AND p.leg = 0
         AND p.kind = CASE WHEN r.amount > 0 THEN %d ELSE %d END
       WHERE r.home = ? AND r.leg = 0 AND r.refers_to IS NOT NULL
       GROUP BY r.seller, r.currency, r.refers_to, r.amount > 0, p.amount
      HAVING p.amount IS NULL OR abs(sum(r.amount)) > abs(p.amount)
       ORDER BY 1, 2, 3
      """
          .formatted(LedgerKind.CHARGE.number(), LedgerKind.TOP_UP.number());

  private final Database database;

  public LedgerAudit(Database database) {
    this.database = database;
  }

  /// What is wrong in a home, a sentence each: a balance that is not the sum of its entries, an entry whose legs do not
  /// sum to zero, refunds above what was paid.
  public List<String> findings(Home home) {
    return database.read(
        tx -> {
          List<String> findings = new ArrayList<>();
          tx.sql(WRONG_BALANCES)
              .set(home)
              .set(home)
              .each(
                  row ->
                      findings.add(
                          "balance of %s in %s: %d, but its entries sum to %d"
                              .formatted(
                                  row.textAt(1), row.textAt(2), row.longAt(3), row.longAt(4))));
          tx.sql(UNBALANCED)
              .set(home)
              .each(
                  row ->
                      findings.add(
                          "entry %d of %s in %s does not balance"
                              .formatted(row.longAt(3), row.textAt(1), row.textAt(2))));
          tx.sql(OVER_REFUNDED)
              .set(home)
              .each(
                  row ->
                      findings.add(
                          "more than was paid is refunded of %s of %s in %s"
                              .formatted(row.textAt(3), row.textAt(1), row.textAt(2))));
          return findings;
        });
  }
}
