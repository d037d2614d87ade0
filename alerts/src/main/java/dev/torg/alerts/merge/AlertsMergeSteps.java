package dev.torg.alerts.merge;

import dev.torg.alerts.delivery.AlertBudgetStore;
import dev.torg.alerts.delivery.AlertDedupStore;
import dev.torg.alerts.delivery.StormNotifiedCheck;
import dev.torg.alerts.delivery.StormNotifiedStore;
import dev.torg.alerts.digest.DigestHour;
import dev.torg.alerts.digest.DigestMergeStore;
import dev.torg.alerts.digest.DigestStore;
import dev.torg.alerts.storm.StormStore;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.RecipientSettings;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Takes what waits for an anonymous person's digest, and what they were told, to their login: a page
/// is copied there, then removed here.
///
/// **The digest goes first**, and an item becomes the login's as an alert does: `told` and
/// `storm_notified` in the login's home decide, in the same transaction, so that the login is not
/// notified again from the digest. An item of a storm does not name its offers; it counts at most as
/// many as the anonymous person was notified of in storms of that seller and the login was not. A page that was copied and not removed is not copied again ([DigestMergeStore]): the
/// login's digest may have gone out in between. What was told may be copied again, which changes
/// nothing.
public final class AlertsMergeSteps {
  private static final int PAGE_SIZE = 1000;

  /// Rows of a kilobyte each.
  private static final int STORM_PAGE = 100;

  /// A storm's positions are read again when it has just given more.
  private static final int MAX_STORM_TRIES = 10;

  private final Database database;
  private final InstantSource clock;
  private final StormStore storms = new StormStore();
  private final AlertDedupStore dedupStore = new AlertDedupStore();
  private final StormNotifiedStore notified = new StormNotifiedStore();
  private final AlertBudgetStore budgets = new AlertBudgetStore();
  private final DigestStore digests = new DigestStore();
  private final DigestMergeStore moves = new DigestMergeStore();
  private final RecipientSettings settings = new RecipientSettings();

  public AlertsMergeSteps(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// Whether there may be more.
  public boolean mergeDedupRows(String anonymous, String login) {
    List<AlertDedupStore.DedupRow> page =
        database.read(tx -> dedupStore.page(tx, anonymous, PAGE_SIZE));
    if (page.isEmpty()) {
      return storms(anonymous, login);
    }
    database.inTransaction(
        tx -> {
          budgets.hold(tx, login);
          return dedupStore.insert(tx, page.stream().map(t -> t.to(login)).toList());
        });
    database.inTransaction(
        tx -> {
          dedupStore.remove(tx, anonymous, page);
          return true;
        });
    return true;
  }

  /// Whether there may be more. Positions are the seller's, so they mean the same for the login.
  private boolean storms(String anonymous, String login) {
    List<StormNotifiedStore.Block> page =
        database.read(tx -> notified.page(tx, anonymous, STORM_PAGE));
    if (page.isEmpty()) {
      return false;
    }
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    database.inTransaction(
        tx -> {
          budgets.hold(tx, login);
          notified.add(
              tx,
              page.stream()
                  .map(block -> new StormNotifiedStore.Block(block.key().to(login), block.bits()))
                  .toList(),
              today);
          return true;
        });
    database.inTransaction(
        tx -> {
          notified.remove(tx, anonymous, page);
          return true;
        });
    return true;
  }

  /// Whether there may be more.
  public boolean digest(String anonymous, String login) {
    List<DigestStore.Item> page =
        database.read(tx -> digests.page(tx, List.of(anonymous), null, PAGE_SIZE));
    if (!page.isEmpty()) {
      copy(anonymous, login, page);
    }
    database.inTransaction(
        tx -> {
          digests.remove(tx, page);
          if (page.isEmpty()) {
            digests.removeDue(tx, List.of(anonymous));
          }
          return true;
        });
    return !page.isEmpty();
  }

  /// After favorites: the reasons of what was copied hold, and the login's digest may go out.
  public boolean complete(String anonymous, String login) {
    database.inTransaction(
        tx -> {
          moves.close(tx, login, anonymous);
          return true;
        });
    return false;
  }

  private void copy(String anonymous, String login, List<DigestStore.Item> page) {
    Set<String> sellers =
        page.stream()
            .filter(DigestStore.Item::isStorm)
            .map(AlertsMergeSteps::seller)
            .collect(Collectors.toSet());
    List<StormNotifiedStore.Block> collapsed =
        database.read(tx -> notified.ofSellers(tx, anonymous, sellers));
    for (int tries = 0; tries < MAX_STORM_TRIES; tries++) {
      StormStore.NumberedOffers known = storms.numbered(database, sold(page));
      if (database.inTransaction(tx -> isCopied(tx, anonymous, login, page, known, collapsed))) {
        return;
      }
    }
    throw new IllegalStateException("storms keep overtaking a digest of " + page.size());
  }

  private static List<StormStore.Sold> sold(List<DigestStore.Item> items) {
    return items.stream()
        .filter(item -> item.alert().news().isNew())
        .map(item -> new StormStore.Sold(item.offer(), seller(item)))
        .toList();
  }

  private static String seller(DigestStore.Item item) {
    return item.alert().news().seller();
  }

  /// False if an offer may have got a position in a storm since positions were read.
  private boolean isCopied(
      Tx tx,
      String anonymous,
      String login,
      List<DigestStore.Item> page,
      StormStore.NumberedOffers known,
      List<StormNotifiedStore.Block> collapsed)
      throws SQLException {
    budgets.hold(tx, login);
    DigestMergeStore.DigestItemKey copied = moves.lock(tx, login, anonymous);
    List<DigestStore.Item> left =
        page.stream()
            .filter(item -> DigestMergeStore.DigestItemKey.of(item).compareTo(copied) > 0)
            .map(item -> item.to(login))
            .toList();
    if (left.isEmpty()) {
      return true;
    }
    Optional<List<DigestStore.Item>> single = outsideStorms(tx, left, known);
    if (single.isPresent()) {
      add(tx, login, news(tx, withinStorms(tx, login, single.get(), collapsed)));
      moves.note(tx, login, anonymous, DigestMergeStore.DigestItemKey.of(left.getLast()));
    }
    return single.isPresent();
  }

  /// All but the offers that the login was notified of in a storm; empty if that is not certain.
  private Optional<List<DigestStore.Item>> outsideStorms(
      Tx tx, List<DigestStore.Item> items, StormStore.NumberedOffers known) throws SQLException {
    List<StormNotifiedStore.Key> keys =
        items.stream()
            .map(DigestStore.Item::alert)
            .filter(alert -> alert.news().isNew())
            .map(alert -> StormNotifiedCheck.key(alert, known))
            .toList();
    Map<String, List<StormNotifiedStore.Block>> bySeller =
        notified.find(tx, keys).stream()
            .collect(Collectors.groupingBy(block -> block.key().seller()));
    List<DigestStore.Item> left = new ArrayList<>();
    for (DigestStore.Item item : items) {
      List<StormNotifiedStore.Block> blocks = bySeller.getOrDefault(seller(item), List.of());
      StormNotifiedCheck check =
          item.alert().news().isNew()
              ? StormNotifiedCheck.of(item.alert().news(), blocks, known)
              : StormNotifiedCheck.NEW;
      if (check == StormNotifiedCheck.UNSURE) {
        return Optional.empty();
      }
      if (check == StormNotifiedCheck.NEW) {
        left.add(item);
      }
    }
    return Optional.of(left);
  }

  /// The items of storms with no more offers than are news to the login.
  ///
  /// @param collapsed what the anonymous person was notified of in storms of these sellers
  private List<DigestStore.Item> withinStorms(
      Tx tx, String login, List<DigestStore.Item> items, List<StormNotifiedStore.Block> collapsed)
      throws SQLException {
    Map<StormNotifiedStore.Key, BitSet> known = new HashMap<>();
    notified
        .find(tx, collapsed.stream().map(block -> block.key().to(login)).toList())
        .forEach(block -> known.put(block.key(), block.bits()));
    Map<String, Integer> fresh = new HashMap<>();
    for (StormNotifiedStore.Block block : collapsed) {
      BitSet bits = (BitSet) block.bits().clone();
      bits.andNot(known.getOrDefault(block.key().to(login), new BitSet()));
      fresh.merge(block.key().seller(), bits.cardinality(), Integer::sum);
    }
    List<DigestStore.Item> left = new ArrayList<>();
    for (DigestStore.Item item : items) {
      int offers =
          item.isStorm()
              ? Math.min(item.offers(), fresh.getOrDefault(seller(item), 0))
              : item.offers();
      if (item.isStorm()) {
        fresh.merge(seller(item), -offers, Integer::sum);
      }
      if (offers > 0) {
        left.add(new DigestStore.Item(item.at(), item.alert(), offers));
      }
    }
    return left;
  }

  /// All but the offers that the login was told of as new; from here on it was told of all.
  private List<DigestStore.Item> news(Tx tx, List<DigestStore.Item> items) throws SQLException {
    Set<AlertDedupStore.Key> fresh =
        dedupStore.insertNew(
            tx,
            items.stream()
                .map(DigestStore.Item::alert)
                .filter(alert -> alert.news().isNew())
                .toList());
    return items.stream()
        .filter(
            item ->
                !item.alert().news().isNew()
                    || fresh.contains(new AlertDedupStore.Key(item.owner(), item.offer())))
        .toList();
  }

  private void add(Tx tx, String login, List<DigestStore.Item> items) throws SQLException {
    Instant now = clock.instant();
    NotificationSettings said =
        settings.of(tx, Set.of(login)).getOrDefault(login, RecipientSettings.DEFAULTS);
    digests.add(tx, List.of(new DigestStore.Due(login, now, DigestHour.next(now, said))), items);
  }
}
