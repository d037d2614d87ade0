package dev.torg.notifications;

import dev.torg.notifications.bell.MoveEntries;
import dev.torg.notifications.settings.SettingsStore;
import dev.torg.platform.db.Database;
import java.time.InstantSource;
import java.util.Set;

/// Moves a bell to another home, page by page: notifications, counts and settings of an anonymous
/// identity to the login.
///
/// A page is copied in the login's home, then removed in the anonymous one; a crash in between
/// copies it again, which changes nothing, as entries are told apart by their keys. From the first
/// page on the anonymous bell takes nothing more and says where its reader has gone.
public final class BellMove {
  private final Database database;
  private final MoveEntries entries;
  private final SettingsStore settings = new SettingsStore();
  private final Bell bell;

  public BellMove(Database database, Bell bell, InstantSource clock) {
    this.database = database;
    this.bell = bell;
    this.entries = new MoveEntries(clock);
  }

  /// Moves at most so many entries; whether there may be more to move.
  public boolean page(String anonymous, String login, int atMost) {
    database.inTransaction(tx -> entries.seal(tx, anonymous, login));
    var page = database.read(tx -> entries.read(tx, anonymous, atMost));
    if (!page.isEmpty()) {
      database.inTransaction(tx -> entries.copy(tx, login, page));
      database.inTransaction(tx -> entries.remove(tx, anonymous, page));
      bell.changed(Set.of(anonymous, login));
      return true;
    }
    moveSettings(anonymous, login);
    return false;
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
