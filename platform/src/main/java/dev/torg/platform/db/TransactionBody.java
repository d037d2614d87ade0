package dev.torg.platform.db;

import java.sql.SQLException;

/// The statements of one transaction. It may run more than once when the transaction is retried before
/// COMMIT, so ids and times are chosen outside.
@FunctionalInterface
public interface TransactionBody<T> {
  T run(Tx tx) throws SQLException;
}
