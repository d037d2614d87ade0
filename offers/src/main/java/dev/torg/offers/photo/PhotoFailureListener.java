package dev.torg.offers.photo;

import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.List;

/// Hears of photos that a feed asked for and that failed, each once, in the transaction that marks
/// them as failed in their offers: under the locks of the offers' main rows, before any preset is
/// locked.
@FunctionalInterface
public interface PhotoFailureListener {
  /// A photo of this offer; the task lives in the same home as the offer.
  record Failed(OfferId offer, String seller, long feedTask) {}

  void count(Tx tx, List<Failed> failed) throws SQLException;
}
