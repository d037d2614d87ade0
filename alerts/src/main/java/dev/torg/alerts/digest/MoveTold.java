package dev.torg.alerts.digest;

import dev.torg.alerts.storm.StormStore;
import dev.torg.alerts.write.BudgetStore;
import dev.torg.alerts.write.StormCheck;
import dev.torg.alerts.write.StormNotifiedStore;
import dev.torg.alerts.write.ToldStore;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.ReaderSettings;
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
/// many as the anonymous person was notified of in storms of that seller and the login was not. A page that was copied and not removed is not copied again ([DigestMoves]): the
/// login's digest may have gone out in between. What was told may be copied again, which changes
/// nothing.
public final class MoveTold {
  private static final int PAGE = 1000;

  /// Rows of a kilobyte each.
  private static final int STORM_PAGE = 100;

  /// A storm's positions are read again when it has just given more.
  private static final int MAX_STORM_TRIES = 10;

  private final Database database;
  private final InstantSource clock;
  private final StormStore storms = new StormStore();
  private final ToldStore told = new ToldStore();
  private final StormNotifiedStore notified = new StormNotifiedStore();
  private final BudgetStore budgets = new BudgetStore();
  private final DigestStore digests = new DigestStore();
  private final DigestMoves moves = new DigestMoves();
  private final ReaderSettings settings = new ReaderSettings();

  public MoveTold(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// Whether there may be more.
  public boolean told(String anonymous, String login) {
    List<ToldStore.Told> page = database.read(tx -> told.page(tx, anonymous, PAGE));
    if (page.isEmpty()) {
      return storms(anonymous, login);
    }
    database.inTransaction(
        tx -> {
          budgets.hold(tx, login);
          return told.insert(tx, page.stream().map(t -> t.to(login)).toList());
        });
    database.inTransaction(
        tx -> {
          told.remove(tx, anonymous, page);
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
        database.read(tx -> digests.page(tx, List.of(anonymous), null, PAGE));
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
            .map(MoveTold::seller)
            .collect(Collectors.toSet());
    List<StormNotifiedStore.Block> collapsed =
        database.read(tx -> notified.ofSellers(tx, anonymous, sellers));
    for (int tries = 0; tries < MAX_STORM_TRIES; tries++) {
      StormStore.Known known = storms.known(database, sold(page));
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
      StormStore.Known known,
      List<StormNotifiedStore.Block> collapsed)
      throws SQLException {
    budgets.hold(tx, login);
    DigestMoves.Place copied = moves.lock(tx, login, anonymous);
    List<DigestStore.Item> left =
        page.stream()
            .filter(item -> DigestMoves.Place.of(item).compareTo(copied) > 0)
            .map(item -> item.to(login))
            .toList();
    if (left.isEmpty()) {
      return true;
    }
    Optional<List<DigestStore.Item>> single = outsideStorms(tx, left, known);
    if (single.isPresent()) {
      add(tx, login, news(tx, withinStorms(tx, login, single.get(), collapsed)));
      moves.note(tx, login, anonymous, DigestMoves.Place.of(left.getLast()));
    }
    return single.isPresent();
  }

  /// All but the offers that the login was notified of in a storm; empty if that is not certain.
  private Optional<List<DigestStore.Item>> outsideStorms(
      Tx tx, List<DigestStore.Item> items, StormStore.Known known) throws SQLException {
    List<StormNotifiedStore.Key> keys =
        items.stream()
            .map(DigestStore.Item::alert)
            .filter(alert -> alert.news().isNew())
            .map(alert -> StormCheck.key(alert, known))
            .toList();
    Map<String, List<StormNotifiedStore.Block>> bySeller =
        notified.find(tx, keys).stream()
            .collect(Collectors.groupingBy(block -> block.key().seller()));
    List<DigestStore.Item> left = new ArrayList<>();
    for (DigestStore.Item item : items) {
      List<StormNotifiedStore.Block> blocks = bySeller.getOrDefault(seller(item), List.of());
      StormCheck check =
          item.alert().news().isNew()
              ? StormCheck.of(item.alert().news(), blocks, known)
              : StormCheck.NEW;
      if (check == StormCheck.UNSURE) {
        return Optional.empty();
      }
      if (check == StormCheck.NEW) {
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
    Set<ToldStore.Key> fresh =
        told.tell(
            tx,
            items.stream()
                .map(DigestStore.Item::alert)
                .filter(alert -> alert.news().isNew())
                .toList());
    return items.stream()
        .filter(
            item ->
                !item.alert().news().isNew()
                    || fresh.contains(new ToldStore.Key(item.owner(), item.offer())))
        .toList();
  }

  private void add(Tx tx, String login, List<DigestStore.Item> items) throws SQLException {
    Instant now = clock.instant();
    NotificationSettings said =
        settings.of(tx, Set.of(login)).getOrDefault(login, ReaderSettings.DEFAULTS);
    digests.add(tx, List.of(new DigestStore.Due(login, now, DigestHour.next(now, said))), items);
  }
}
