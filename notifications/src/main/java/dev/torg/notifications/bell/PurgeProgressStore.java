package dev.torg.notifications.bell;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// SQL over the progress of [PurgeOldEntriesJob] in each home. Written under its lease.
final class PurgeProgressStore {
  private static final BatchSql<Home> DUE =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE NOT EXISTS (SELECT FROM bell_purge p
                                  WHERE p.home = k.home AND p.next_at > ? AND :shard(p))
              """);

  private static final String SELECT =
      "SELECT after_owner, next_at <= ? FROM bell_purge WHERE home = ?";

  private static final String PUT =
      """
      INSERT INTO bell_purge (home, after_owner, next_at) VALUES (?, ?, ?)
      ON CONFLICT (home) DO UPDATE
        SET after_owner = excluded.after_owner, next_at = excluded.next_at
      """;

  private record Progress(String after, boolean isDue) {}

  List<Home> due(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(DUE, homes).set(now).list(row -> row.homeAt(1));
  }

  /// The owner after whom the walk continues; empty if it is not due.
  Optional<String> after(Tx tx, Home home, Instant now) throws SQLException {
    return tx.sql(SELECT)
        .set(now)
        .set(home)
        .first(row -> new Progress(row.textAt(1), row.booleanAt(2)))
        .or(() -> Optional.of(new Progress("", true)))
        .filter(Progress::isDue)
        .map(Progress::after);
  }

  void walked(Tx tx, Home home, String owner, Instant now) throws SQLException {
    put(tx, home, owner, now);
  }

  void ended(Tx tx, Home home, Instant nextAt) throws SQLException {
    put(tx, home, "", nextAt);
  }

  private static void put(Tx tx, Home home, String after, Instant nextAt) throws SQLException {
    tx.sql(PUT).set(home).set(after).set(nextAt).update();
  }
}
