package dev.torg.notifications.campaign;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.Bell;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.WrittenNotifications;
import dev.torg.notifications.campaign.CampaignRecipientStore.Waiting;
import dev.torg.notifications.delivery.CampaignProgress;
import dev.torg.notifications.delivery.CampaignProgress.Count;
import dev.torg.notifications.delivery.CampaignProgress.Outcome;
import dev.torg.notifications.delivery.SuppressionReason;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Tx;
import dev.torg.platform.lease.Lease;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Writes a page of a campaign's recipients: their bell entries, the deletion of their rows and the counts commit
/// together, so that each recipient receives the entry exactly once, whatever crashes.
///
/// A recipient whose identity was merged into a login is passed on in two steps: the login becomes a recipient, then the
/// row of the anonymous identity is deleted. A crash in between repeats the first one, and the bell writes an entry with
/// the same key only once.
final class CampaignPageWriter {
  /// Recipients per transaction. It holds the rows of their bells until it is committed, about 50 ms.
  static final int PAGE_SIZE = 1_000;

  /// The bell has the entry: the identity was moved, or the recipient was added again.
  static final String DUPLICATE = "DUPLICATE";

  private final Database database;
  private final Bell bell;
  private final RecipientSettings settings;
  private final CampaignProgress progress;
  private final CampaignMetrics metrics;
  private final CampaignRecipientStore recipients = new CampaignRecipientStore();
  private final CampaignHomeStore homes = new CampaignHomeStore();

  CampaignPageWriter(
      Database database,
      Bell bell,
      RecipientSettings settings,
      CampaignProgress progress,
      CampaignMetrics metrics) {
    this.database = database;
    this.bell = bell;
    this.settings = settings;
    this.progress = progress;
    this.metrics = metrics;
  }

  /// The recipients of a page, and those of them whose identities were merged into a login.
  private record Page(int recipients, Map<String, String> mergedInto) {
    static final Page EMPTY = new Page(0, Map.of());
  }

  /// Processes a page of these homes, which are of one shard. Returns whether there were recipients.
  ///
  /// Plans are not cached: one made while few recipients waited would read all of them when there are millions.
  boolean write(Lease lease, StoredCampaign campaign, List<Home> ofShard, Instant now) {
    Page page =
        database.inTransaction(
            tx -> {
              lease.check(tx);
              tx.forceCustomPlans();
              List<String> due = due(tx, campaign, ofShard, now);
              return due.isEmpty() ? Page.EMPTY : process(tx, campaign, due, now);
            });
    if (!page.mergedInto.isEmpty()) {
      passOn(lease, campaign, page.mergedInto);
    }
    if (page.recipients == 0) {
      end(lease, campaign, ofShard);
    }
    return page.recipients > 0;
  }

  private List<String> due(Tx tx, StoredCampaign campaign, List<Home> ofShard, Instant now)
      throws SQLException {
    String key = campaign.key().text();
    return campaign.isDistributed() && !isDropped(campaign, now)
        ? recipients.duePage(tx, key, ofShard, campaign.dueOffset(now), PAGE_SIZE)
        : recipients.page(tx, key, ofShard, PAGE_SIZE);
  }

  /// Whether nothing is written any more.
  private static boolean isDropped(StoredCampaign campaign, Instant now) {
    return campaign.state() == StoredCampaign.State.CANCELLED || campaign.isExpiredAt(now);
  }

  private Page process(Tx tx, StoredCampaign campaign, List<String> due, Instant now)
      throws SQLException {
    String key = campaign.key().text();
    if (isDropped(campaign, now)) {
      recipients.delete(tx, key, due);
      if (campaign.state() != StoredCampaign.State.CANCELLED) {
        count(tx, counts(key, due, Outcome.SUPPRESSED, SuppressionReason.EXPIRED.name()));
      }
      return new Page(due.size(), Map.of());
    }
    WrittenNotifications written = bell.write(tx, entries(tx, campaign, due, now));
    Map<String, String> merged = written.mergedInto();
    List<String> gone = due.stream().filter(recipient -> !merged.containsKey(recipient)).toList();
    recipients.delete(tx, key, gone);
    count(tx, counts(key, gone, written));
    return new Page(due.size(), merged);
  }

  private List<NewNotification> entries(
      Tx tx, StoredCampaign campaign, List<String> due, Instant now) throws SQLException {
    CampaignMessage message = new CampaignMessage(campaign, now);
    Map<String, NotificationSettings> known =
        message.dependsOnLanguage() ? settings.of(tx, due) : Map.of();
    return due.stream()
        .map(
            recipient ->
                message.to(
                    recipient,
                    known.getOrDefault(recipient, RecipientSettings.DEFAULTS).getLanguage()))
        .toList();
  }

  private static List<Count> counts(String key, List<String> gone, WrittenNotifications written) {
    Set<String> now = new HashSet<>();
    written.entries().forEach(entry -> now.add(entry.recipient()));
    List<String> before = gone.stream().filter(recipient -> !now.contains(recipient)).toList();
    List<Count> counts = new ArrayList<>(counts(key, now, Outcome.WRITTEN, ""));
    counts.addAll(counts(key, before, Outcome.SUPPRESSED, DUPLICATE));
    return counts;
  }

  private static List<Count> counts(
      String key, Collection<String> recipients, Outcome outcome, String reason) {
    Map<Home, Integer> byHome = new HashMap<>();
    recipients.forEach(recipient -> byHome.merge(Home.of(recipient), 1, Integer::sum));
    return byHome.entrySet().stream()
        .map(home -> new Count(home.getKey(), key, outcome, reason, home.getValue()))
        .toList();
  }

  private void count(Tx tx, List<Count> counts) throws SQLException {
    progress.add(tx, counts);
    tx.afterCommit(() -> counts.forEach(metrics::counted));
  }

  private void passOn(Lease lease, StoredCampaign campaign, Map<String, String> mergedInto) {
    String key = campaign.key().text();
    Set<String> logins = Set.copyOf(mergedInto.values());
    EachShard.run(
        database.shards().split(logins, Home::of),
        ofShard -> database.transact(tx -> addLogins(tx, campaign, ofShard)));
    database.transact(
        tx -> {
          lease.check(tx);
          recipients.delete(tx, key, List.copyOf(mergedInto.keySet()));
        });
  }

  /// They are due: the identities that moved were.
  private void addLogins(Tx tx, StoredCampaign campaign, List<String> logins) throws SQLException {
    int offset = campaign.isDistributed() ? 0 : CampaignRecipientStore.NO_OFFSET;
    String key = campaign.key().text();
    var _ =
        recipients.insert(
            tx, key, logins.stream().map(login -> new Waiting(login, offset)).toList());
    homes.reopen(tx, key, logins.stream().map(Home::of).distinct().toList());
  }

  private void end(Lease lease, StoredCampaign campaign, List<Home> ofShard) {
    String key = campaign.key().text();
    boolean whileOpen =
        campaign.startedAtOnce() || campaign.state() == StoredCampaign.State.CANCELLED;
    List<Home> ended =
        database.inTransaction(
            tx -> {
              tx.forceCustomPlans();
              return homes.ended(tx, key, ofShard, whileOpen);
            });
    if (!ended.isEmpty()) {
      database.transact(
          tx -> {
            lease.check(tx);
            tx.forceCustomPlans();
            homes.end(tx, key, ended, whileOpen);
          });
    }
  }
}
