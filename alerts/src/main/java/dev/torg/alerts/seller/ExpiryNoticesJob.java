package dev.torg.alerts.seller;

import dev.torg.offers.ExpiringPage;
import dev.torg.offers.ExpiryCursor;
import dev.torg.offers.Offers;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Records that active offers expire in three days. In each home it walks along the due dates, three days ahead of the
/// time, and never returns: each due date of an offer is passed once, and the position commits with the notices. An offer
/// that is prolonged is passed again at its new date. Where it has not run before it begins with the offers that come
/// within the three days from then on.
///
/// **No offer is skipped.** An offer whose end is nearer than three days when it is published or prolonged is passed
/// over on purpose. One whose end is further away could only be missed if it committed after the walk had passed its date:
/// the walk stays [#COMMIT_TIME] behind, and a change commits sooner than that. Blocks.
public final class ExpiryNoticesJob {
  /// Longer than between deciding a change and its commit.
  private static final Duration COMMIT_TIME = Duration.ofMinutes(1);

  private final Database database;
  private final Offers offers;
  private final ExpiryNoticeStore cursors = new ExpiryNoticeStore();
  private final SellerNoticeStore notices = new SellerNoticeStore();

  public ExpiryNoticesJob(Database database, Offers offers) {
    this.database = database;
    this.offers = offers;
  }

  /// Homes with offers to examine, or without a position.
  public List<Home> due(List<Home> homes, Instant now) {
    Map<Home, ExpiryCursor> positions = database.read(tx -> cursors.find(tx, homes));
    List<Home> due =
        new ArrayList<>(homes.stream().filter(home -> !positions.containsKey(home)).toList());
    if (!positions.isEmpty()) {
      Map<Home, Instant> after = new HashMap<>();
      positions.forEach((home, cursor) -> after.put(home, cursor.expiresAt()));
      due.addAll(offers.homesWithExpiries(after, end(now)));
    }
    return due;
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(due(lease.homes(), now), home -> run(lease, home, now));
  }

  private boolean run(Lease lease, Home home, Instant now) {
    Optional<ExpiryCursor> position =
        Optional.ofNullable(database.read(tx -> cursors.find(tx, List.of(home))).get(home));
    if (position.isEmpty()) {
      record(lease, home, List.of(), ExpiryCursor.after(end(now)), now);
      return false;
    }
    ExpiringPage page = offers.expiring(home, position.get(), end(now));
    record(
        lease,
        home,
        page.offers().stream()
            .flatMap(offer -> SellerNotice.ofExpiry(offer, now).stream())
            .toList(),
        page.next(),
        now);
    return !page.last();
  }

  private void record(
      Lease lease, Home home, List<SellerNotice> found, ExpiryCursor next, Instant now) {
    database.transact(
        tx -> {
          lease.check(tx);
          notices.insert(tx, found, now);
          cursors.put(tx, home, next);
        });
  }

  private static Instant end(Instant now) {
    return now.plus(SellerNotice.EXPIRY_NOTICE).minus(COMMIT_TIME);
  }
}
