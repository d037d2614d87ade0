package dev.torg.alerts.digest;

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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Sends what has gathered, once: the entry in the bell and the end of what it was made of are one
/// transaction. Its reasons are asked again: who has unsubscribed, or blocked the seller, since then
/// hears nothing of it, and neither does anybody of offers that are over.
///
/// A digest may have any number of items. Small ones are sent many at once; a large one by itself and
/// read in pages, of which is kept what the entry shows and, of each item, whether its offer is active.
/// Blocks.
public final class SendDigestsJob {
  /// Readers looked at in one run.
  private static final int DUE_PAGE_SIZE = 100;

  /// Items in memory at a time, more or less.
  private static final int ITEM_PAGE_SIZE = 1_000;

  private final Database database;
  private final boolean distributed;
  private final Offers offers;
  private final AlertRules rules;
  private final RecipientSettings settings;
  private final Bell bell;
  private final DigestStore store = new DigestStore();
  private final DigestMergeStore moves = new DigestMergeStore();
  private final Timer timer;
  private final Counter people;

  public SendDigestsJob(
      Database database,
      Offers offers,
      AlertRules rules,
      RecipientSettings settings,
      Bell bell,
      MeterRegistry registry) {
    this.database = database;
    this.distributed = database.isDistributed();
    this.offers = offers;
    this.rules = rules;
    this.settings = settings;
    this.bell = bell;
    this.timer =
        Timer.builder("torg.alerts.digest")
            .description("Time to send a page of digests")
            .register(registry);
    this.people =
        Counter.builder("torg.alerts.digest.people")
            .description("People whose digest was sent")
            .register(registry);
  }

  /// Whether there may be more to do at once.
  public boolean run(Lease lease, Instant now) {
    List<DigestStore.Due> due =
        database.read(tx -> store.next(tx, lease.homes(), now, DUE_PAGE_SIZE));
    for (List<String> owners : groups(due)) {
      timer.record(() -> send(lease, owners, now));
    }
    return due.size() == DUE_PAGE_SIZE;
  }

  /// Readers whose digests make a page together, or one whose digest is larger; of one home where
  /// tables are distributed.
  private List<List<String>> groups(List<DigestStore.Due> due) {
    Map<Integer, List<String>> together =
        due.stream()
            .collect(
                Collectors.groupingBy(
                    one -> distributed ? one.home().number() : 0,
                    Collectors.mapping(DigestStore.Due::owner, Collectors.toList())));
    return together.values().stream().flatMap(owners -> pages(owners).stream()).toList();
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
    people.increment(sent);
  }

  /// Whether the offer of each item is active, asked before the digests are locked: what comes later waits
  /// for the next one. Of an item of a storm only the offer that it shows is asked for: the others were
  /// active when it was gathered.
  private Map<ItemKey, Boolean> active(List<String> owners) {
    Map<ItemKey, Boolean> active = new HashMap<>();
    List<DigestStore.Item> page = database.read(tx -> store.page(tx, owners, null, ITEM_PAGE_SIZE));
    while (!page.isEmpty()) {
      Map<OfferId, Offer> found =
          offers.find(page.stream().map(DigestStore.Item::offer).distinct().toList()).join();
      page.forEach(item -> active.put(ItemKey.of(item), isActive(found.get(item.offer()))));
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
    // Every reader is held, whether or not anything is left to say.
    LockedAlertRules held =
        rules.lockForShare(
            tx, owners.stream().map(o -> new AlertRuleKey(o, FavoriteKind.BLOCK, "")).toList());
    Map<String, NotificationSettings> said = settings.of(tx, owners);
    List<DigestStore.Due> ripe = ripe(tx, owners, held, said, now);
    Map<String, DigestBuilder> gathered = new HashMap<>();
    ripe.forEach(due -> gathered.put(due.owner(), new DigestBuilder()));
    Set<String> unfinished = gather(tx, active, gathered);
    return finish(tx, ripe, gathered, unfinished, said, now);
  }

  /// How many had something to say.
  private int finish(
      Tx tx,
      List<DigestStore.Due> ripe,
      Map<String, DigestBuilder> gathered,
      Set<String> unfinished,
      Map<String, NotificationSettings> said,
      Instant now)
      throws SQLException {
    List<NewNotification> entries = new ArrayList<>();
    List<String> ended = new ArrayList<>();
    for (DigestStore.Due due : ripe) {
      NotificationSettings ofReader = said.getOrDefault(due.owner(), RecipientSettings.DEFAULTS);
      Objects.requireNonNull(gathered.get(due.owner()))
          .entry(due, ofReader, now)
          .ifPresent(entries::add);
      if (unfinished.contains(due.owner())) {
        store.runAt(tx, due.owner(), DigestHour.next(now, ofReader));
      } else {
        ended.add(due.owner());
      }
    }
    store.removeDue(tx, ended);
    bell.write(tx, entries);
    return entries.size();
  }

  /// Locks the digests that are due and whose readers have not moved, nor is anybody just moving to
  /// them. Where the reader has chosen another hour since, it waits for that.
  private List<DigestStore.Due> ripe(
      Tx tx,
      List<String> owners,
      LockedAlertRules held,
      Map<String, NotificationSettings> said,
      Instant now)
      throws SQLException {
    List<DigestStore.Due> locked = store.lock(tx, owners, now);
    Set<String> open = moves.open(tx, owners);
    List<DigestStore.Due> ripe = new ArrayList<>();
    for (DigestStore.Due due : locked) {
      Instant hour =
          DigestHour.next(
              due.runAt().minusNanos(1),
              said.getOrDefault(due.owner(), RecipientSettings.DEFAULTS));
      if (hour.isAfter(now)) {
        store.runAt(tx, due.owner(), hour);
      } else if (!open.contains(due.owner()) && !held.moved().containsKey(due.owner())) {
        ripe.add(due);
      }
    }
    return ripe;
  }

  /// Takes the items out of the digests; the readers of whom some are left for the next one.
  private Set<String> gather(
      Tx tx, Map<ItemKey, Boolean> active, Map<String, DigestBuilder> gathered)
      throws SQLException {
    List<String> owners = List.copyOf(gathered.keySet());
    Set<String> unfinished = new HashSet<>();
    List<DigestStore.Item> page = store.page(tx, owners, null, ITEM_PAGE_SIZE);
    while (!page.isEmpty()) {
      List<DigestStore.Item> known =
          page.stream().filter(item -> active.containsKey(ItemKey.of(item))).toList();
      LockedAlertRules held = rules.lockForShare(tx, keys(known));
      for (DigestStore.Item item : known) {
        boolean isActive = active.getOrDefault(ItemKey.of(item), false);
        DigestBuilder digest = Objects.requireNonNull(gathered.get(item.owner()));
        (isActive ? Optional.of(item) : item.withoutOffer()).ifPresent(i -> digest.add(i, held));
      }
      store.remove(tx, known);
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
      String reader = item.owner();
      item.alert().reasons().forEach(reason -> keys.add(reason.key(reader)));
      keys.add(new AlertRuleKey(reader, FavoriteKind.BLOCK, item.alert().news().seller()));
    }
    return keys;
  }
}
