package dev.torg.alerts.digest;

import dev.torg.alerts.write.ToldStore;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.ReaderSettings;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/// Takes what an anonymous person was told, and what waits for their digest, to their login: a page
/// is copied there, then removed here. A page that was copied and not removed is copied again, which
/// changes nothing.
public final class MoveTold {
  private static final int PAGE = 1000;

  private final Database database;
  private final InstantSource clock;
  private final ToldStore told = new ToldStore();
  private final DigestStore digests = new DigestStore();
  private final ReaderSettings settings = new ReaderSettings();

  public MoveTold(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// Whether there may be more.
  public boolean told(String anonymous, String login) {
    List<ToldStore.Told> page = database.read(tx -> told.page(tx, anonymous, PAGE));
    if (page.isEmpty()) {
      return false;
    }
    database.inTransaction(tx -> told.insert(tx, page.stream().map(t -> t.to(login)).toList()));
    database.inTransaction(
        tx -> {
          told.remove(tx, anonymous, page);
          return true;
        });
    return true;
  }

  /// All at once: a day's worth.
  public boolean digest(String anonymous, String login) {
    List<DigestStore.Item> items = database.read(tx -> digests.items(tx, List.of(anonymous)));
    if (!items.isEmpty()) {
      database.inTransaction(tx -> add(tx, login, items));
      database.inTransaction(
          tx -> {
            digests.remove(tx, items);
            return true;
          });
    }
    database.inTransaction(
        tx -> {
          digests.removeDue(tx, List.of(anonymous));
          return true;
        });
    return false;
  }

  private boolean add(Tx tx, String login, List<DigestStore.Item> items) throws SQLException {
    Instant now = clock.instant();
    NotificationSettings said =
        settings.of(tx, Set.of(login)).getOrDefault(login, ReaderSettings.DEFAULTS);
    digests.add(
        tx,
        List.of(new DigestStore.Due(login, now, DigestHour.next(now, said))),
        items.stream().map(item -> item.to(login)).toList());
    return true;
  }
}
