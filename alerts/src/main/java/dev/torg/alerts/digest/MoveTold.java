package dev.torg.alerts.digest;

import dev.torg.alerts.write.BudgetStore;
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
import java.util.List;
import java.util.Set;

/// Takes what waits for an anonymous person's digest, and what they were told, to their login: a page
/// is copied there, then removed here.
///
/// **The digest goes first**, and an item becomes the login's as an alert does: `told` in the login's
/// home decides, in the same transaction, so that what the login was told by itself is not told again
/// from the digest. A page that was copied and not removed is not copied again ([DigestMoves]): the
/// login's digest may have gone out in between. What was told may be copied again, which changes
/// nothing.
public final class MoveTold {
  private static final int PAGE = 1000;

  /// Rows of a kilobyte each.
  private static final int STORM_PAGE = 100;

  private final Database database;
  private final InstantSource clock;
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
      database.inTransaction(tx -> copy(tx, anonymous, login, page));
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

  private boolean copy(Tx tx, String anonymous, String login, List<DigestStore.Item> page)
      throws SQLException {
    budgets.hold(tx, login);
    DigestMoves.Place copied = moves.lock(tx, login, anonymous);
    List<DigestStore.Item> left =
        page.stream()
            .filter(item -> DigestMoves.Place.of(item).compareTo(copied) > 0)
            .map(item -> item.to(login))
            .toList();
    if (!left.isEmpty()) {
      add(tx, login, news(tx, left));
      moves.note(tx, login, anonymous, DigestMoves.Place.of(left.getLast()));
    }
    return true;
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
