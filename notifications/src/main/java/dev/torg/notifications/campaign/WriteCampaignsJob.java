package dev.torg.notifications.campaign;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.lease.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/// Writes the due campaigns page by page, in turn. A campaign's state is read before each page: a pause takes effect
/// after the page that is being written. Cancelled and expired campaigns lose their recipients instead.
public final class WriteCampaignsJob {
  private final Database database;
  private final CampaignPageWriter writer;
  private final BooleanSupplier allowsBulk;
  private final CampaignStore campaigns = new CampaignStore();
  private final CampaignHomeStore homes = new CampaignHomeStore();

  /// The campaign of the last turn in each group. Another process that acquires the lease begins again.
  private final Map<Integer, String> lastTurns = new ConcurrentHashMap<>();

  /// @param allowsBulk whether individual notifications are not behind
  WriteCampaignsJob(Database database, CampaignPageWriter writer, BooleanSupplier allowsBulk) {
    this.database = database;
    this.writer = writer;
    this.allowsBulk = allowsBulk;
  }

  /// Homes with recipients of due campaigns, whether or not they are due themselves.
  public Set<Home> due(List<Home> held, Instant now) {
    Set<Home> due = new HashSet<>();
    for (StoredCampaign campaign : database.read(tx -> campaigns.due(tx, now))) {
      due.addAll(writable(campaign, held));
    }
    return due.isEmpty() || allowsBulk.getAsBoolean() ? due : Set.of();
  }

  /// Writes a page of the next campaign. Returns whether there was one.
  public boolean run(Lease lease, Instant now) {
    if (!allowsBulk.getAsBoolean()) {
      return false;
    }
    for (StoredCampaign campaign : inTurn(lease.group(), now)) {
      if (write(lease, campaign, now)) {
        lastTurns.put(lease.group(), campaign.key().text());
        return true;
      }
    }
    return false;
  }

  private boolean write(Lease lease, StoredCampaign campaign, Instant now) {
    boolean any = false;
    for (List<Home> ofShard :
        database.shards().split(writable(campaign, lease.homes()), home -> home)) {
      any |= writer.write(lease, campaign, ofShard, now);
    }
    return any;
  }

  /// Those of the homes that have recipients. A criterion is expanded to the end of a home before: a seller on two of its
  /// pages is one recipient because the row from the first page is still there.
  private List<Home> writable(StoredCampaign campaign, List<Home> held) {
    boolean onlyClosed = campaign.hasCriterion();
    return database.read(tx -> homes.undone(tx, campaign.key().text(), held, onlyClosed));
  }

  /// The due campaigns, those after the last turn first.
  private List<StoredCampaign> inTurn(int group, Instant now) {
    List<StoredCampaign> due = database.read(tx -> campaigns.due(tx, now));
    String last = lastTurns.getOrDefault(group, "");
    List<StoredCampaign> turns = new ArrayList<>();
    due.stream().filter(c -> c.key().text().compareTo(last) > 0).forEach(turns::add);
    due.stream().filter(c -> c.key().text().compareTo(last) <= 0).forEach(turns::add);
    return turns;
  }
}
