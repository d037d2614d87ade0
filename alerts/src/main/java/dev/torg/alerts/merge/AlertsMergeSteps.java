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
import dev.torg.favorites.LoginMergeStep;
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

/// The steps of the login merge that move the digest of an anonymous identity, and the offers it was
/// notified of: a page is copied to the login, then removed.
///
/// **The digest is first**, and an item is copied as an alert is delivered: `told` and `storm_notified`
/// in the login's home decide in the same transaction, so that the login is not notified again from the
/// digest. An item of a storm does not name its offers; it counts at most as many as the anonymous
/// identity was notified of in storms of that seller and the login was not. A page that was copied and
/// not removed is not copied again ([DigestMergeStore]): the login's digest may have been sent in
/// between. Deduplication rows may be copied again, which changes nothing.
public final class AlertsMergeSteps {
  private static final int PAGE_SIZE = 1000;

  /// Rows of a kilobyte each.
  private static final int STORM_PAGE = 100;

  /// Positions are read again if the storm has assigned more since.
  private static final int MAX_STORM_TRIES = 10;

  private final Database database;
  private final InstantSource clock;
  private final StormStore storms = new StormStore();
  private final AlertDedupStore dedupStore = new AlertDedupStore();
  private final StormNotifiedStore notified = new StormNotifiedStore();
  private final AlertBudgetStore budgets = new AlertBudgetStore();
  private final DigestStore digests = new DigestStore();
  private final DigestMergeStore merges = new DigestMergeStore();
  private final RecipientSettings settings;

  public AlertsMergeSteps(Database database, RecipientSettings settings, InstantSource clock) {
    this.database = database;
    this.settings = settings;
    this.clock = clock;
  }

  /// The steps before the bell and favorites are merged. From then on alerts in flight find what the
  /// anonymous identity was notified of with the login.
  public List<LoginMergeStep> before() {
    return List.of(
        LoginMergeStep.named("digest", this::mergeDigest),
        LoginMergeStep.named("told", this::mergeDedupRows));
  }

  /// The steps after favorites are merged.
  public List<LoginMergeStep> after() {
    return List.of(LoginMergeStep.named("digest.complete", this::complete));
  }

  /// Whether there may be more.
  private boolean mergeDedupRows(String anonymous, String login) {
    List<AlertDedupStore.DedupRow> page =
        database.read(tx -> dedupStore.page(tx, anonymous, PAGE_SIZE));
    if (page.isEmpty()) {
      return storms(anonymous, login);
    }
    database.inTransaction(
        tx -> {
          budgets.lockOne(tx, login);
          return dedupStore.insert(tx, page.stream().map(t -> t.to(login)).toList());
        });
    database.transact(tx -> dedupStore.remove(tx, anonymous, page));
    return true;
  }

  /// Returns whether there may be more. Positions belong to the seller, so they are the same for the
  /// login.
  private boolean storms(String anonymous, String login) {
    List<StormNotifiedStore.Block> page =
        database.read(tx -> notified.page(tx, anonymous, STORM_PAGE));
    if (page.isEmpty()) {
      return false;
    }
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    database.transact(
        tx -> {
          budgets.lockOne(tx, login);
          notified.add(
              tx,
              page.stream()
                  .map(block -> new StormNotifiedStore.Block(block.key().to(login), block.bits()))
                  .toList(),
              today);
        });
    database.transact(tx -> notified.remove(tx, page));
    return true;
  }

  /// Whether there may be more.
  private boolean mergeDigest(String anonymous, String login) {
    List<DigestStore.Item> page =
        database.read(tx -> digests.page(tx, List.of(anonymous), null, PAGE_SIZE));
    if (!page.isEmpty()) {
      copy(anonymous, login, page);
    }
    database.transact(
        tx -> {
          digests.remove(tx, page);
          if (page.isEmpty()) {
            digests.removeDue(tx, List.of(anonymous));
          }
        });
    return !page.isEmpty();
  }

  /// After favorites: the rules of the copied items exist, and the login's digest may be sent.
  private boolean complete(String anonymous, String login) {
    database.transact(tx -> merges.close(tx, login, anonymous));
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
      StormStore.NumberedOffers numbered = storms.numbered(database, sold(page));
      if (database.inTransaction(tx -> isCopied(tx, anonymous, login, page, numbered, collapsed))) {
        return;
      }
    }
    throw new IllegalStateException("storms keep overtaking a digest of " + page.size());
  }

  private static List<StormStore.Sold> sold(List<DigestStore.Item> items) {
    return items.stream()
        .filter(item -> item.alert().content().isNew())
        .map(item -> new StormStore.Sold(item.offer(), seller(item)))
        .toList();
  }

  private static String seller(DigestStore.Item item) {
    return item.alert().content().seller();
  }

  /// False if an offer may have got a position in a storm since positions were read.
  private boolean isCopied(
      Tx tx,
      String anonymous,
      String login,
      List<DigestStore.Item> page,
      StormStore.NumberedOffers numbered,
      List<StormNotifiedStore.Block> collapsed)
      throws SQLException {
    budgets.lockOne(tx, login);
    DigestMergeStore.DigestItemKey copied = merges.lock(tx, login, anonymous);
    List<DigestStore.Item> remaining =
        page.stream()
            .filter(item -> DigestMergeStore.DigestItemKey.of(item).compareTo(copied) > 0)
            .map(item -> item.to(login))
            .toList();
    if (remaining.isEmpty()) {
      return true;
    }
    Optional<List<DigestStore.Item>> single = outsideStorms(tx, remaining, numbered);
    if (single.isPresent()) {
      add(tx, login, unseenItems(tx, withinStorms(tx, login, single.get(), collapsed)));
      merges.note(tx, login, anonymous, DigestMergeStore.DigestItemKey.of(remaining.getLast()));
    }
    return single.isPresent();
  }

  /// All items except offers that the login was notified of in a storm; empty if that is not certain.
  private Optional<List<DigestStore.Item>> outsideStorms(
      Tx tx, List<DigestStore.Item> items, StormStore.NumberedOffers numbered) throws SQLException {
    List<StormNotifiedStore.Key> keys =
        items.stream()
            .map(DigestStore.Item::alert)
            .filter(alert -> alert.content().isNew())
            .map(alert -> StormNotifiedCheck.key(alert, numbered))
            .toList();
    Map<String, List<StormNotifiedStore.Block>> bySeller =
        notified.find(tx, keys).stream()
            .collect(Collectors.groupingBy(block -> block.key().seller()));
    List<DigestStore.Item> remaining = new ArrayList<>();
    for (DigestStore.Item item : items) {
      List<StormNotifiedStore.Block> blocks = bySeller.getOrDefault(seller(item), List.of());
      StormNotifiedCheck check =
          item.alert().content().isNew()
              ? StormNotifiedCheck.of(item.alert().content(), blocks, numbered)
              : StormNotifiedCheck.NEW;
      if (check == StormNotifiedCheck.UNSURE) {
        return Optional.empty();
      }
      if (check == StormNotifiedCheck.NEW) {
        remaining.add(item);
      }
    }
    return Optional.of(remaining);
  }

  /// The items of storms, reduced to the offers that are new to the login.
  ///
  /// @param collapsed what the anonymous identity was notified of in storms of these sellers
  private List<DigestStore.Item> withinStorms(
      Tx tx, String login, List<DigestStore.Item> items, List<StormNotifiedStore.Block> collapsed)
      throws SQLException {
    Map<StormNotifiedStore.Key, BitSet> ofLogin = new HashMap<>();
    notified
        .find(tx, collapsed.stream().map(block -> block.key().to(login)).toList())
        .forEach(block -> ofLogin.put(block.key(), block.bits()));
    Map<String, Integer> unseen = new HashMap<>();
    for (StormNotifiedStore.Block block : collapsed) {
      BitSet bits = (BitSet) block.bits().clone();
      bits.andNot(ofLogin.getOrDefault(block.key().to(login), new BitSet()));
      unseen.merge(block.key().seller(), bits.cardinality(), Integer::sum);
    }
    List<DigestStore.Item> remaining = new ArrayList<>();
    for (DigestStore.Item item : items) {
      int offers =
          item.isStorm()
              ? Math.min(item.offers(), unseen.getOrDefault(seller(item), 0))
              : item.offers();
      if (item.isStorm()) {
        unseen.merge(seller(item), -offers, Integer::sum);
      }
      if (offers > 0) {
        remaining.add(new DigestStore.Item(item.at(), item.alert(), offers));
      }
    }
    return remaining;
  }

  /// All items except offers that the login was notified of; records the others as notified.
  private List<DigestStore.Item> unseenItems(Tx tx, List<DigestStore.Item> items)
      throws SQLException {
    Set<AlertDedupStore.Key> unseen =
        dedupStore.insertNew(
            tx,
            items.stream()
                .map(DigestStore.Item::alert)
                .filter(alert -> alert.content().isNew())
                .toList());
    return items.stream()
        .filter(
            item ->
                !item.alert().content().isNew()
                    || unseen.contains(new AlertDedupStore.Key(item.owner(), item.offer())))
        .toList();
  }

  private void add(Tx tx, String login, List<DigestStore.Item> items) throws SQLException {
    Instant now = clock.instant();
    NotificationSettings loginSettings =
        settings.of(tx, Set.of(login)).getOrDefault(login, RecipientSettings.DEFAULTS);
    digests.add(
        tx, List.of(new DigestStore.Due(login, now, DigestHour.next(now, loginSettings))), items);
  }
}
