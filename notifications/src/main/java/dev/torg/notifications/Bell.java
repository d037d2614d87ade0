package dev.torg.notifications;

import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/// Writes entries to the bells of recipients and withdraws them. The methods join the caller's
/// transaction: entries, exact unread counts and the caller's own changes commit together or not at all.
///
/// The bells are locked in the order of their keys (docs/data-model.md#lock-order), so a transaction calls
/// at most one of these methods, once, with all of its entries. All recipients of a call are of one shard
/// ([dev.torg.platform.db.ShardMap]).
public interface Bell {
  /// Writes new entries and enlarges aggregated ones. A new entry whose key exists changes nothing;
  /// nothing is written for a recipient whose identity was merged into a login, or of an entry that has expired.
  WrittenNotifications write(Tx tx, List<? extends BellEntry> entries) throws SQLException;

  /// The homes that have unread entries about an offer.
  List<Home> homesWithUnread(Tx tx, OfferId offer) throws SQLException;

  /// Withdraws the unread entries about an offer from at most `maxRecipients` bells of a home. To be
  /// called again, each time in a new transaction, while [WithdrawnNotifications#mayBeMore].
  WithdrawnNotifications withdraw(Tx tx, Home home, OfferId offer, int maxRecipients)
      throws SQLException;

  /// Notifies this process's streams that these bells changed in a transaction that has committed.
  void changed(Set<String> recipients);
}
