package dev.torg.alerts.seller;

import dev.torg.offers.ExpiryCursor;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// SQL over the positions up to which offers were examined for the notice before their end, one per home.
final class ExpiryNoticeStore {
  private static final BatchSql<Home> FIND =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT e.home, e.expires_at, e.offer_id FROM :batch(k)
                JOIN expiry_notice e ON e.home = k.home
               WHERE :shard(e)
              """);

  private static final String PUT =
      """
      INSERT INTO expiry_notice (home, expires_at, offer_id) VALUES (?, ?, ?)
      ON CONFLICT (home) DO UPDATE SET expires_at = excluded.expires_at, offer_id = excluded.offer_id
      """;

  Map<Home, ExpiryCursor> find(Tx tx, List<Home> homes) throws SQLException {
    Map<Home, ExpiryCursor> cursors = new HashMap<>();
    tx.sql(FIND, homes)
        .each(row -> cursors.put(row.homeAt(1), new ExpiryCursor(row.instantAt(2), row.longAt(3))));
    return cursors;
  }

  void put(Tx tx, Home home, ExpiryCursor cursor) throws SQLException {
    tx.sql(PUT).set(home).set(cursor.expiresAt()).set(cursor.id()).update();
  }
}
