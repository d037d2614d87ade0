package dev.torg.platform.db;

import java.sql.SQLException;

/// A transaction without a result; otherwise as [TransactionBody].
@FunctionalInterface
public interface TransactionAction {
  void run(Tx tx) throws SQLException;
}
