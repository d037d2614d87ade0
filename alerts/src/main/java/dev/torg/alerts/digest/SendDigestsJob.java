package dev.torg.alerts.digest;

import dev.torg.alerts.text.OpenLinks;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.AlertRules;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.LockedAlertRules;
import dev.torg.notifications.Bell;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.RecipientSettings;
import dev.torg.offers.Offers;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.lease.Lease;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Sends digests, each item once: the entry in the bell and the removal of its items commit together.
/// Rules are read again: items whose rules were removed, whose seller is blocked or whose offer is not
/// active any more are dropped.
///
/// A digest may have any number of items. Small digests are sent many at a time; a large one on its own
/// and read in pages, of which only the displayed titles and the status of each offer are retained.
/// Blocks.
public final class SendDigestsJob {
  /// Recipients per run.
  private static final int DUE_PAGE_SIZE = 100;

  /// Items in memory, approximately.
  private static final int ITEM_PAGE_SIZE = 1_000;

  private final Database database;
  private final Offers offers;
  private final AlertRules rules;
  private final RecipientSettings settings;
  private final Bell bell;
  private final OpenLinks links;
  private final DigestStore store = new DigestStore();
  private final DigestMergeStore merges = new DigestMergeStore();
  private final Timer timer;
  private final Counter recipients;

  public SendDigestsJob(
      Database database,
      Offers offers,
      AlertRules rules,
      RecipientSettings settings,
      Bell bell,
      OpenLinks links,
      MeterRegistry registry) {
    this.database = database;
    this.offers = offers;
    this.rules = rules;
    this.settings = settings;
    this.bell = bell;
    this.links = links;
    this.timer =
        Timer.builder("torg.alerts.digest")
            .description("Time to send a page of digests")
            .register(registry);
    this.recipients =
        Counter.builder("torg.alerts.digest.people")
            .description("Recipients whose digest was sent")
            .register(registry);
  }

  /// Homes with due digests.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesDue(tx, homes, now));
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    List<DigestStore.Due> due =
        database.read(tx -> store.next(tx, lease.homes(), now, DUE_PAGE_SIZE));
    for (List<String> owners : groups(due)) {
      timer.record(() -> send(lease, owners, now));
    }
    return due.size() == DUE_PAGE_SIZE;
  }

  /// Groups of recipients whose digests fit into a page together, or one recipient with a larger digest;
  /// of one shard where tables are distributed.
  private List<List<String>> groups(List<DigestStore.Due> due) {
    List<String> owners = due.stream().map(DigestStore.Due::owner).toList();
    return database.shards().split(owners, Home::of).stream()
        .flatMap(shard -> pages(shard).stream())
        .toList();
  }

  private List<List<String>> pages(List<String> owners) {
    Map<String, Long> sizes = database.read(tx -> store.sizes(tx, owners));
    List<List<String>> pages = new ArrayList<>();
    List<String> page = new ArrayList<>();
    long items = 0;
    for (String owner : owners) {
      long more = sizes.getOrDefault(owner, 0L);
      if (!page.isEmpty() && items + more > ITEM_PAGE_SIZE) {
        pages.add(List.copyOf(page));
        page.clear();
        items = 0;
      }
      page.add(owner);
      items += more;
    }
    pages.add(List.copyOf(page));
    return pages;
  }

  private record ItemKey(String owner, OfferId offer, int kind) {
    static ItemKey of(DigestStore.Item item) {
      return new ItemKey(item.owner(), item.offer(), item.kind());
    }
  }

  private void send(Lease lease, List<String> owners, Instant now) {
    Map<ItemKey, Boolean> active = active(owners);
    int sent =
        database.inTransaction(
            tx -> {
              lease.check(tx);
              return send(tx, owners, active, now);
            });
    recipients.increment(sent);
  }

  /// Whether the offer of each item is active, read before the digests are locked: items added later wait
  /// for the next digest. Of an item of a storm only the displayed offer is read: the others were active
  /// when it was added.
  private Map<ItemKey, Boolean> active(List<String> owners) {
    Map<ItemKey, Boolean> active = new HashMap<>();
    List<DigestStore.Item> page = database.read(tx -> store.page(tx, owners, null, ITEM_PAGE_SIZE));
    while (!page.isEmpty()) {
      Map<OfferId, Offer> byId =
          offers.find(page.stream().map(DigestStore.Item::offer).distinct().toList()).join();
      page.forEach(item -> active.put(ItemKey.of(item), isActive(byId.get(item.offer()))));
      DigestStore.Item last = page.getLast();
      page = database.read(tx -> store.page(tx, owners, last, ITEM_PAGE_SIZE));
    }
    return active;
  }

  private static boolean isActive(@Nullable Offer offer) {
    return offer != null && offer.getStatus() == Offer.Status.ACTIVE;
  }

  private int send(Tx tx, List<String> owners, Map<ItemKey, Boolean> active, Instant now)
      throws SQLException {
    // Every recipient is locked, with or without items to send.
    LockedAlertRules locked =
        rules.lockForShare(
            tx, owners.stream().map(o -> new AlertRuleKey(o, FavoriteKind.BLOCK, "")).toList());
    Map<String, NotificationSettings> settingsOf = settings.of(tx, owners);
    List<DigestStore.Due> ripe = ripe(tx, owners, locked, settingsOf, now);
    Map<String, DigestBuilder> gathered = new HashMap<>();
    ripe.forEach(due -> gathered.put(due.owner(), new DigestBuilder()));
    Set<String> unfinished = gather(tx, active, gathered);
    return finish(tx, ripe, gathered, unfinished, settingsOf, now);
  }

  /// The number of digests with content.
  private int finish(
      Tx tx,
      List<DigestStore.Due> ripe,
      Map<String, DigestBuilder> gathered,
      Set<String> unfinished,
      Map<String, NotificationSettings> settingsOf,
      Instant now)
      throws SQLException {
    List<NewNotification> entries = new ArrayList<>();
    List<String> ended = new ArrayList<>();
    for (DigestStore.Due due : ripe) {
      NotificationSettings ofRecipient =
          settingsOf.getOrDefault(due.owner(), RecipientSettings.DEFAULTS);
      Objects.requireNonNull(gathered.get(due.owner()))
          .entry(due, ofRecipient, links, now)
          .ifPresent(entries::add);
      if (unfinished.contains(due.owner())) {
        store.runAt(tx, due.owner(), DigestHour.next(now, ofRecipient));
      } else {
        ended.add(due.owner());
      }
    }
    store.removeDue(tx, ended);
    bell.write(tx, entries);
    return entries.size();
  }

  /// Locks the digests that are due, whose recipients were not merged into a login and into which no
  /// identity is being merged. If the recipient has chosen another hour since, the digest waits for it.
  private List<DigestStore.Due> ripe(
      Tx tx,
      List<String> owners,
      LockedAlertRules locked,
      Map<String, NotificationSettings> settingsOf,
      Instant now)
      throws SQLException {
    List<DigestStore.Due> digests = store.lock(tx, owners, now);
    Set<String> open = merges.open(tx, owners);
    List<DigestStore.Due> ripe = new ArrayList<>();
    for (DigestStore.Due due : digests) {
      Instant hour =
          DigestHour.next(
              due.runAt().minusNanos(1),
              settingsOf.getOrDefault(due.owner(), RecipientSettings.DEFAULTS));
      if (hour.isAfter(now)) {
        store.runAt(tx, due.owner(), hour);
      } else if (!open.contains(due.owner()) && !locked.mergedInto().containsKey(due.owner())) {
        ripe.add(due);
      }
    }
    return ripe;
  }

  /// Removes the items from the digests, and returns the recipients with items left for the next one.
  private Set<String> gather(
      Tx tx, Map<ItemKey, Boolean> active, Map<String, DigestBuilder> gathered)
      throws SQLException {
    List<String> owners = List.copyOf(gathered.keySet());
    Set<String> unfinished = new HashSet<>();
    List<DigestStore.Item> page = store.page(tx, owners, null, ITEM_PAGE_SIZE);
    while (!page.isEmpty()) {
      List<DigestStore.Item> checked =
          page.stream().filter(item -> active.containsKey(ItemKey.of(item))).toList();
      LockedAlertRules locked = rules.lockForShare(tx, keys(checked));
      for (DigestStore.Item item : checked) {
        boolean isActive = active.getOrDefault(ItemKey.of(item), false);
        DigestBuilder digest = Objects.requireNonNull(gathered.get(item.owner()));
        (isActive ? Optional.of(item) : item.withoutOffer()).ifPresent(i -> digest.add(i, locked));
      }
      store.remove(tx, checked);
      page.stream()
          .filter(item -> !active.containsKey(ItemKey.of(item)))
          .forEach(item -> unfinished.add(item.owner()));
      page = store.page(tx, owners, page.getLast(), ITEM_PAGE_SIZE);
    }
    return unfinished;
  }

  private static Set<AlertRuleKey> keys(List<DigestStore.Item> items) {
    Set<AlertRuleKey> keys = new LinkedHashSet<>();
    for (DigestStore.Item item : items) {
      String recipient = item.owner();
      item.alert().reasons().forEach(reason -> keys.add(reason.key(recipient)));
      keys.add(new AlertRuleKey(recipient, FavoriteKind.BLOCK, item.alert().content().seller()));
    }
    return keys;
  }
}
