package dev.torg.promotions.intent;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.ledger.CreditListener;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// SQL over sellers whose balance has grown, so that their intents that wait for it are examined again. The row commits
/// with the ledger entry. It is the last one that such a transaction locks, and the intents themselves are woken by a job:
/// an examination locks intents before it locks balances.
public final class IntentRetryStore implements CreditListener {
  private static final BatchSql<Retry> PUT =
      BatchColumns.of(Retry::home)
          .longs("token", Retry::token)
          .texts("seller", Retry::seller)
          .sql(
              """
              INSERT INTO promotion_intent_retry (home, token, seller)
              SELECT k.home, k.token, k.seller FROM :rows(k) ORDER BY k.home, k.seller
              ON CONFLICT (home, seller) DO UPDATE SET token = excluded.token
              """);

  private static final BatchSql<Home> HOMES =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM promotion_intent_retry r
                              WHERE r.home = k.home AND :shard(r))
              """);

  private static final String PAGE =
      "SELECT token, seller FROM promotion_intent_retry WHERE home = ? ORDER BY seller LIMIT ?";

  private static final String DELETE =
      "DELETE FROM promotion_intent_retry WHERE home = ? AND seller = ? AND token = ?";

  /// @param token differs each time the balance grows
  record Retry(String seller, long token) {
    Home home() {
      return Home.of(seller);
    }
  }

  @Override
  public void credited(Tx tx, Set<String> sellers) throws SQLException {
    List<Retry> rows =
        sellers.stream()
            .map(seller -> new Retry(seller, ThreadLocalRandom.current().nextLong()))
            .toList();
    tx.sql(PUT, rows).update();
  }

  List<Home> homes(Tx tx, List<Home> homes) throws SQLException {
    return tx.sql(HOMES, homes).list(row -> row.homeAt(1));
  }

  List<Retry> page(Tx tx, Home home, int limit) throws SQLException {
    return tx.sql(PAGE).set(home).set(limit).list(row -> new Retry(row.textAt(2), row.longAt(1)));
  }

  /// Changes nothing if the balance has grown again since the row was read.
  void delete(Tx tx, Retry retry) throws SQLException {
    tx.sql(DELETE).set(retry.home()).set(retry.seller()).set(retry.token()).update();
  }
}
