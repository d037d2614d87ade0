package dev.torg.promotions.ledger;

import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.platform.PageSize;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Row;
import java.sql.SQLException;
import java.util.List;

/// Reads balances and ledgers of sellers. Blocks.
public final class LedgerReader {
  private static final PageSize PAGE_SIZE = new PageSize(50, 500);

  private static final String BALANCES =
      """
      SELECT balance, currency FROM ledger_account WHERE home = ? AND seller = ? AND last_id > 0
       ORDER BY currency
      """;

  private static final String SELECT_PAGE =
      """
      SELECT id, at, seller, currency, kind, amount, reference, refers_to, reason FROM ledger_entry
       WHERE home = ? AND seller = ? AND (id, currency) < (?, ?) AND leg = 0
       ORDER BY id DESC, currency DESC LIMIT ?
      """;

  private final Database database;

  public LedgerReader(Database database) {
    this.database = database;
  }

  /// In each currency of which the seller has ever had any, in the order of their codes.
  public List<Money> balances(String seller) {
    return database.read(
        tx ->
            tx.sql(BALANCES)
                .set(Home.of(seller))
                .set(seller)
                .list(row -> new Money(row.longAt(1), row.textAt(2))));
  }

  /// Newest first.
  ///
  /// @param pageSize 0 for the default
  public LedgerPage page(String seller, int pageSize, String pageToken) {
    int size = PAGE_SIZE.of(pageSize);
    LedgerCursor after = LedgerCursor.of(pageToken);
    List<StoredEntry> entries =
        database.read(
            tx ->
                tx.sql(SELECT_PAGE)
                    .set(Home.of(seller))
                    .set(seller)
                    .set(after.id())
                    .set(after.currency())
                    .set(size)
                    .list(LedgerReader::stored));
    boolean isLast = entries.size() < size;
    return new LedgerPage(entries, isLast ? "" : LedgerCursor.after(entries.getLast()).token());
  }

  private static StoredEntry stored(Row row) throws SQLException {
    LedgerKind kind = LedgerKind.ofNumber(row.intAt(5));
    long amount = row.longAt(6);
    LedgerEntry entry =
        new LedgerEntry(
            new LedgerAccount(row.textAt(3), row.textAt(4)),
            kind,
            amount,
            LedgerEntry.contraOf(kind, amount),
            row.textAt(7),
            row.optionalTextAt(8),
            row.textAt(9));
    return new StoredEntry(row.longAt(1), row.instantAt(2), entry);
  }
}
