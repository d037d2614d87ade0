package dev.torg.promotions.apply;

import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.apply.PromotionPaymentHandler.OfferLookup;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Ends services whose time has come, oldest first, a page of a home at a time, and notifies their sellers. The rows of the
/// queue are deleted in the transaction that ends the services, which has checked the lease. Of a page that another
/// process has read as well, only what is still active is ended. Blocks.
public final class ExpirePromotionsJob {
  private static final int PAGE_SIZE = 1_000;

  private final Database database;
  private final PromotionWriter writer;
  private final OfferLookup offers;
  private final EndNotices notices;
  private final PromotionStore store = new PromotionStore();

  /// @param offers of which sellers are notified
  public ExpirePromotionsJob(
      Database database, PromotionWriter writer, OfferLookup offers, EndNotices notices) {
    this.database = database;
    this.writer = writer;
    this.offers = offers;
    this.notices = notices;
  }

  /// Homes with something due.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesDue(tx, homes, now));
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(due(lease.homes(), now), home -> run(lease, home, now));
  }

  /// As precise as what is stored: the database rounds a time to microseconds, and a row that it considers due must not
  /// be deleted while its service is active for another fraction of a microsecond.
  private boolean run(Lease lease, Home home, Instant time) {
    Instant now = time.truncatedTo(ChronoUnit.MICROS);
    List<PromotionStore.Expiry> page = database.read(tx -> store.due(tx, home, now, PAGE_SIZE));
    if (!page.isEmpty()) {
      Map<OfferId, Offer> found = offers.find(ids(page));
      database.transact(
          tx -> {
            lease.check(tx);
            notices.write(tx, writer.expire(tx, page, now), found, now);
          });
    }
    return page.size() == PAGE_SIZE;
  }

  private static Set<OfferId> ids(List<PromotionStore.Expiry> page) {
    return page.stream()
        .map(PromotionStore.Expiry::entity)
        .filter(PromotedEntity::isOffer)
        .map(PromotedEntity::offer)
        .collect(Collectors.toSet());
  }
}
