package dev.torg.offers.store;

import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.List;

/// Called once for each failed photo that a feed requested, in the transaction that marks it as failed in
/// its offer. Lock order: docs/data-model.md#lock-order.
@FunctionalInterface
public interface PhotoFailureListener {
  /// A failed photo of an offer; the task is in the same home as the offer.
  record Failed(OfferId offer, String seller, long feedTask) {}

  void count(Tx tx, List<Failed> failed) throws SQLException;
}
