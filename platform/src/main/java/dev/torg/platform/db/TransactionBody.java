package dev.torg.platform.db;

import java.sql.SQLException;

/// What runs inside a transaction. It may run again when the database asked for a retry before
/// COMMIT, so its ids and times are fixed outside.
@FunctionalInterface
public interface TransactionBody<T> {
  T run(Tx tx) throws SQLException;
}
