package dev.torg.notifications;

import dev.torg.notifications.bell.BellMergeStore;
import dev.torg.notifications.settings.SettingsStore;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Set;

/// Moves a bell to another home, page by page: notifications, counts and settings of an anonymous
/// identity to the login.
///
/// A page is copied in the login's home, then removed in the anonymous one; a crash in between
/// copies it again, which changes nothing, as entries are told apart by their keys. From the first
/// page on the anonymous bell takes nothing more and says where its reader has gone.
///
/// What is withdrawn on both sides between the reading of a page and its copy would come back with
/// the copy. So each page's offers are asked about once more after it: a ban from before is seen then,
/// and a later one finds the copy.
public final class BellMerge {
  /// Of the login's home, from whom a ban takes back what it would take back anyway.
  private static final int RECIPIENT_PAGE_SIZE = 100;

  private final Database database;
  private final BellMergeStore entries;
  private final SettingsStore settings = new SettingsStore();
  private final Bell bell;

  public BellMerge(Database database, Bell bell, InstantSource clock) {
    this.database = database;
    this.bell = bell;
    this.entries = new BellMergeStore(clock);
  }

  /// Which of these offers' notifications are taken back.
  public interface Banned {
    Set<OfferId> among(Collection<OfferId> offers);
  }

  /// Moves at most so many entries; whether there may be more to move.
  public boolean page(String anonymous, String login, int atMost, Banned banned) {
    database.inTransaction(tx -> entries.seal(tx, anonymous, login));
    var page = database.read(tx -> entries.read(tx, anonymous, atMost));
    if (!page.isEmpty()) {
      database.inTransaction(tx -> entries.copy(tx, login, page));
      takeBack(login, banned.among(BellMergeStore.offers(page)));
      database.inTransaction(tx -> entries.remove(tx, anonymous, page));
      bell.changed(Set.of(anonymous, login));
      return true;
    }
    moveSettings(anonymous, login);
    return false;
  }

  private void takeBack(String login, Set<OfferId> offers) {
    for (OfferId offer : offers) {
      boolean more = true;
      while (more) {
        more =
            database
                .inTransaction(tx -> bell.withdraw(tx, Home.of(login), offer, RECIPIENT_PAGE_SIZE))
                .mayBeMore();
      }
    }
  }

  /// The login's own settings stay.
  private void moveSettings(String anonymous, String login) {
    var said = database.read(tx -> settings.read(tx, Set.of(anonymous))).get(anonymous);
    if (said != null) {
      database.inTransaction(
          tx -> {
            settings.putIfMissing(tx, login, said);
            return true;
          });
      database.inTransaction(tx -> settings.delete(tx, anonymous));
    }
  }
}
