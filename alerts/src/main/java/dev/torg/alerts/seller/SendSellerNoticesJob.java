package dev.torg.alerts.seller;

import dev.torg.alerts.seller.SellerNoticeStore.Group;
import dev.torg.alerts.text.OpenLinks;
import dev.torg.alerts.text.SellerNoticeTexts;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.Bell;
import dev.torg.notifications.BellEntry;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.TopicChannels;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Sends the recorded notices to sellers, a page of a home at a time: marking the events as sent and writing the entries
/// commit together. Blocks.
public final class SendSellerNoticesJob {
  private static final int PAGE_SIZE = 1_000;
  private static final int PURGE_PAGE_SIZE = 5_000;

  /// Longer than the topics retain events.
  private static final Duration RETENTION = Duration.ofDays(9);

  private final Database database;
  private final Bell bell;
  private final RecipientSettings settings;
  private final OpenLinks links;
  private final TopicChannels channels;
  private final SellerNoticeStore store = new SellerNoticeStore();

  public SendSellerNoticesJob(
      Database database,
      Bell bell,
      RecipientSettings settings,
      OpenLinks links,
      TopicChannels channels) {
    this.database = database;
    this.bell = bell;
    this.settings = settings;
    this.links = links;
    this.channels = channels;
  }

  /// Homes with due notices.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesDue(tx, homes, now));
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(
        due(lease.homes(), now),
        home ->
            database.inTransaction(
                tx -> {
                  lease.check(tx);
                  return send(tx, home, now);
                }));
  }

  /// Removes rows of events that are not delivered again. Returns whether more may be due.
  public boolean purge(Lease lease, Instant now) {
    return EachHome.run(
        lease.homes(),
        home ->
            database.inTransaction(
                    tx -> {
                      lease.check(tx);
                      Instant before = now.minus(RETENTION);
                      return store.deleteOld(
                          tx, home, before, NoticePlan.hour(before), PURGE_PAGE_SIZE);
                    })
                == PURGE_PAGE_SIZE);
  }

  private boolean send(Tx tx, Home home, Instant now) throws SQLException {
    List<SellerNotice> page = store.page(tx, home, now, PAGE_SIZE);
    if (page.isEmpty()) {
      return false;
    }
    Map<Group, List<SellerNotice>> groups =
        page.stream()
            .collect(Collectors.groupingBy(Group::of, LinkedHashMap::new, Collectors.toList()));
    Map<Group, Integer> sizes = new LinkedHashMap<>();
    groups.forEach((group, notices) -> sizes.put(group, notices.size()));
    store.markSent(tx, page);
    bell.write(tx, entries(tx, groups, store.count(tx, sizes, NoticePlan.hour(now)), now));
    return page.size() == PAGE_SIZE;
  }

  private List<BellEntry> entries(
      Tx tx, Map<Group, List<SellerNotice>> groups, Map<Group, Integer> before, Instant now)
      throws SQLException {
    Set<String> sellers = groups.keySet().stream().map(Group::seller).collect(Collectors.toSet());
    Map<String, NotificationSettings> settingsOf = new HashMap<>(settings.of(tx, sellers));
    List<BellEntry> entries = new ArrayList<>();
    groups.forEach(
        (group, notices) -> {
          NotificationSettings ofSeller =
              settingsOf.getOrDefault(group.seller(), RecipientSettings.DEFAULTS);
          NoticePlan plan =
              new NoticePlan(
                  group.seller(),
                  group.kind(),
                  before.getOrDefault(group, 0),
                  delivery(ofSeller),
                  now);
          entries.addAll(plan.entries(notices, new SellerNoticeTexts(ofSeller, links)));
        });
    return entries;
  }

  private DeliveryRequest delivery(NotificationSettings ofSeller) {
    return DeliveryRequest.on(channels.of(NotificationTopics.OFFERS, ofSeller));
  }
}
