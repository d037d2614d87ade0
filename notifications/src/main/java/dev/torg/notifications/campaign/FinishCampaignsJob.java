package dev.torg.notifications.campaign;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.lease.Lease;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Finishes campaigns in whose homes no recipient is left. The due query and the job both read the homes: where shards are
/// read one after the other, a single reading may miss a recipient that moved between two of them.
public final class FinishCampaignsJob {
  private final Database database;
  private final CampaignStore campaigns = new CampaignStore();
  private final CampaignHomeStore homes = new CampaignHomeStore();

  FinishCampaignsJob(Database database) {
    this.database = database;
  }

  /// Homes of campaigns that may be finished.
  public Set<Home> due(List<Home> held, Instant now) {
    Set<Home> due = new HashSet<>();
    for (StoredCampaign campaign : database.read(tx -> campaigns.due(tx, now))) {
      if (held.contains(campaign.key().home()) && isDone(campaign)) {
        due.add(campaign.key().home());
      }
    }
    return due;
  }

  /// Returns false: what ends later is due later.
  public boolean run(Lease lease, Instant now) {
    for (StoredCampaign campaign : database.read(tx -> campaigns.due(tx, now))) {
      if (lease.homes().contains(campaign.key().home()) && isDone(campaign)) {
        database.transact(
            tx -> {
              lease.check(tx);
              finish(tx, campaign.key(), now);
            });
      }
    }
    return false;
  }

  /// Reads the homes again under the lock of the campaign. An upload reopens a finished campaign under the same lock after
  /// it has added recipients, so either this finds them or the upload finds the campaign finished.
  private void finish(Tx tx, CampaignKey key, Instant now) throws SQLException {
    var _ = campaigns.lock(tx, key);
    if (isDone(tx, key)) {
      var _ = campaigns.finish(tx, key, now);
    }
  }

  private boolean isDone(StoredCampaign campaign) {
    return database.read(tx -> isDone(tx, campaign.key()));
  }

  private boolean isDone(Tx tx, CampaignKey key) throws SQLException {
    return homes.undone(tx, key.text(), Home.all(), false).isEmpty();
  }
}
