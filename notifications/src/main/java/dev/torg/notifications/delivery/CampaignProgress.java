package dev.torg.notifications.delivery;

import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.List;

/// Counts what became of the messages of campaigns.
public interface CampaignProgress {
  /// What became of a message.
  enum Outcome {
    WRITTEN,
    DELIVERED,
    SUPPRESSED,
    FAILED
  }

  /// @param home of the recipients, so that the count commits with their rows
  /// @param reason of a suppressed or failed message, otherwise empty
  record Count(Home home, String campaign, Outcome outcome, String reason, int messages) {}

  /// Adds the counts in the transaction that decides the outcomes. All homes are of one shard.
  void add(Tx tx, List<Count> counts) throws SQLException;
}
