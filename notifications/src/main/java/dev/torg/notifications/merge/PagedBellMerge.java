package dev.torg.notifications.merge;

import dev.torg.notifications.Bell;
import dev.torg.notifications.BellMerge;
import dev.torg.notifications.bell.BellMergeStore;
import dev.torg.notifications.operation.DeliveryMerge;
import dev.torg.notifications.settings.SettingsStore;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Merges a bell page by page. A page is copied in the login's home, then removed in the anonymous one; a
/// crash in between repeats the copy, which changes nothing, because entries are identified by their keys.
/// From the first page on the anonymous bell is closed and records the login.
///
/// Deliveries that wait are parked by the transaction that closes the bell, which waits for claims in progress, and are
/// copied with their entries; so none is claimed on both sides. One that was claimed before is not sent again. The spent
/// limits are added to the login's first.
///
/// An entry withdrawn on both sides between reading a page and copying it would be restored by the copy.
/// So each page's offers are checked for bans after the copy: an earlier ban is found then, and a later one
/// finds the copy.
public final class PagedBellMerge implements BellMerge {
  /// Recipients per withdrawal transaction; the login is one of them.
  private static final int RECIPIENT_PAGE_SIZE = 100;

  private final Database database;
  private final BellMergeStore entries;
  private final SettingsStore settings = new SettingsStore();
  private final DeliveryMerge deliveries = new DeliveryMerge();
  private final Bell bell;

  public PagedBellMerge(Database database, Bell bell, InstantSource clock) {
    this.database = database;
    this.bell = bell;
    this.entries = new BellMergeStore(clock);
  }

  @Override
  public boolean page(String anonymous, String login, int maxEntries, BannedOffers banned) {
    database.inTransaction(tx -> entries.seal(tx, anonymous, login));
    mergeCounts(anonymous, login);
    var page = database.read(tx -> entries.read(tx, anonymous, maxEntries));
    if (!page.isEmpty()) {
      mergePage(anonymous, login, page, banned);
      bell.changed(Set.of(anonymous, login));
      return true;
    }
    mergeSettings(anonymous, login);
    database.transact(tx -> deliveries.resume(tx, anonymous));
    return false;
  }

  /// The source reads deliveries before the copy; an outcome that is recorded until the removal follows afterwards.
  private void mergePage(
      String anonymous, String login, List<BellMergeStore.SourceEntry> page, BannedOffers banned) {
    DeliveryMerge.Deliveries moved =
        database.read(tx -> entries.readDeliveries(tx, anonymous, page));
    Map<Long, Long> copied = database.inTransaction(tx -> entries.copy(tx, login, page, moved));
    withdraw(login, banned.among(BellMergeStore.offers(page)));
    DeliveryMerge.Deliveries recorded =
        database.inTransaction(tx -> entries.remove(tx, anonymous, page, copied.keySet()));
    database.transact(tx -> deliveries.copyOutcomes(tx, login, recorded, copied));
  }

  private void mergeCounts(String anonymous, String login) {
    DeliveryMerge.Counts counts = database.read(tx -> deliveries.counts(tx, anonymous));
    if (!counts.isEmpty()) {
      database.transact(tx -> entries.addCounts(tx, login, anonymous, counts));
      database.transact(tx -> deliveries.deleteCounts(tx, anonymous));
    }
  }

  private void withdraw(String login, Set<OfferId> offers) {
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

  /// Settings of the login take precedence.
  private void mergeSettings(String anonymous, String login) {
    var stored = database.read(tx -> settings.read(tx, Set.of(anonymous))).get(anonymous);
    if (stored != null) {
      database.transact(tx -> settings.putIfMissing(tx, login, stored));
      database.inTransaction(tx -> settings.delete(tx, anonymous));
    }
  }
}
