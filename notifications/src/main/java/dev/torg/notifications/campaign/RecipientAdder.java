package dev.torg.notifications.campaign;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.campaign.CampaignRecipientStore.Waiting;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Adds recipients to campaigns, with the times at which they are due. Adding one again changes nothing.
final class RecipientAdder {
  /// A concurrent upload of the same campaign holds the rows of its homes until its chunk is committed.
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

  private final Database database;
  private final RecipientSettings settings;
  private final ZoneId operatorZone;
  private final CampaignRecipientStore recipients = new CampaignRecipientStore();
  private final CampaignHomeStore homes = new CampaignHomeStore();

  RecipientAdder(Database database, RecipientSettings settings, ZoneId operatorZone) {
    this.database = database;
    this.settings = settings;
    this.operatorZone = operatorZone;
  }

  /// Adds a chunk, in a transaction per shard. Fails with CONFLICT if the campaign was closed meanwhile. Returns how many
  /// were not there before.
  int add(StoredCampaign campaign, Collection<String> chunk) {
    return EachShard.map(
            database.shards().split(Set.copyOf(chunk), Home::of),
            ofShard -> database.inTransaction(tx -> addInUpload(tx, campaign, ofShard)))
        .stream()
        .mapToInt(Integer::intValue)
        .sum();
  }

  private int addInUpload(Tx tx, StoredCampaign campaign, List<String> ofShard)
      throws SQLException {
    tx.setLockTimeout(LOCK_TIMEOUT);
    Map<Home, Integer> inserted = insert(tx, campaign, ofShard);
    if (homes.add(tx, campaign.key().text(), inserted)) {
      throw closed();
    }
    return inserted.values().stream().mapToInt(Integer::intValue).sum();
  }

  /// Adds sellers of one home in the transaction that advances the expansion.
  void addExpanded(Tx tx, StoredCampaign campaign, Collection<String> sellers) throws SQLException {
    homes.add(tx, campaign.key().text(), insert(tx, campaign, sellers));
  }

  private Map<Home, Integer> insert(Tx tx, StoredCampaign campaign, Collection<String> chunk)
      throws SQLException {
    return recipients.insert(tx, campaign.key().text(), waiting(tx, campaign, chunk));
  }

  private List<Waiting> waiting(Tx tx, StoredCampaign campaign, Collection<String> chunk)
      throws SQLException {
    if (!campaign.isDistributed()) {
      return chunk.stream()
          .map(recipient -> new Waiting(recipient, CampaignRecipientStore.NO_OFFSET))
          .toList();
    }
    DueOffsets offsets = DueOffsets.of(campaign, operatorZone);
    Map<String, NotificationSettings> known = offsets.isLocal() ? settings.of(tx, chunk) : Map.of();
    return chunk.stream()
        .map(recipient -> new Waiting(recipient, offsets.of(recipient, zone(known.get(recipient)))))
        .toList();
  }

  private ZoneId zone(@Nullable NotificationSettings known) {
    return known == null ? operatorZone : RecipientSettings.zone(known);
  }

  static Failure closed() {
    return Failure.conflict("campaign.closed", "the campaign accepts no more recipients");
  }
}
