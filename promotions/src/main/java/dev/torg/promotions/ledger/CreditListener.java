package dev.torg.promotions.ledger;

import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Set;

/// Is called in the transaction in which balances grow.
@FunctionalInterface
public interface CreditListener {
  void credited(Tx tx, Set<String> sellers) throws SQLException;
}
