package dev.torg.notifications.operation;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// SQL that follows an anonymous identity to the login that it was merged into.
final class MovedEntryStore {
  private static final BatchSql<String> LOCK =
      BatchColumns.<String>of(Home::of)
          .texts("owner", owner -> owner)
          .sql(
              """
              SELECT b.owner, b.moved_to FROM :batch(k)
                JOIN bell b ON b.home = k.home AND b.owner = k.owner
               WHERE :shard(b) ORDER BY b.home, b.owner FOR SHARE OF b
              """);

  private static final String LOGIN =
      "SELECT moved_to FROM bell WHERE home = ? AND owner = ? AND moved_to IS NOT NULL";

  private static final String ENTRY =
      "SELECT id FROM notification WHERE home = ? AND owner = ? AND key = ?";

  /// Returns those of the owners that were merged. The bells of all are locked against a merge until the transaction
  /// ends.
  Set<String> lockNotMerged(Tx tx, Collection<String> owners) throws SQLException {
    Set<String> merged = new HashSet<>();
    tx.sql(LOCK, List.copyOf(owners))
        .each(
            row -> {
              if (row.optionalTextAt(2).isPresent()) {
                merged.add(row.textAt(1));
              }
            });
    return merged;
  }

  Optional<String> login(Tx tx, String anonymous) throws SQLException {
    return tx.sql(LOGIN).set(Home.of(anonymous)).set(anonymous).first(row -> row.textAt(1));
  }

  /// The id that the entry with this key has among the owner's entries.
  Optional<Long> entry(Tx tx, String owner, String key) throws SQLException {
    return tx.sql(ENTRY).set(Home.of(owner)).set(owner).set(key).first(row -> row.longAt(1));
  }
}
