package dev.torg.offers.archive;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.lifecycle.ExpireOffer;
import dev.torg.offers.lifecycle.OfferCommand;
import dev.torg.offers.store.ArchiveStore;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// What time does to offers: active ones expire, and what is over for a while moves to the archive.
public final class TimeJobs {
  private static final int PAGE_SIZE = 500;
  private static final int[] ARCHIVABLE_STATUSES = {Status.EXPIRED_VALUE, Status.REMOVED_VALUE};

  private final Database database;
  private final Function<OfferCommand, CompletableFuture<Offer>> writer;
  private final ArchiveStore archive = new ArchiveStore();

  public TimeJobs(Database database, Function<OfferCommand, CompletableFuture<Offer>> writer) {
    this.database = database;
    this.writer = writer;
  }

  /// Where there is something to expire.
  public List<Home> dueToExpire(List<Home> homes, Instant now) {
    return database.read(tx -> archive.homesDueToExpire(tx, homes, now));
  }

  /// Every offer is looked at again under its lock, so a former holder of the lease does no harm.
  public boolean expire(Lease lease, Instant now) {
    return expire(lease.homes(), now);
  }

  boolean expire(List<Home> homes, Instant now) {
    return EachHome.run(homes, home -> expire(home, now));
  }

  /// One that fails keeps no other from expiring.
  private boolean expire(Home home, Instant now) {
    List<OfferId> due = database.read(tx -> archive.dueToExpire(tx, home, now, PAGE_SIZE));
    CompletableFuture<?>[] expired =
        due.stream()
            .map(id -> writer.apply(new ExpireOffer(id, EpochMicros.of(now))))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(expired).join();
    return due.size() == PAGE_SIZE;
  }

  public boolean archive(Lease lease, Instant now) {
    database.inTransaction(tx -> archive.ensurePartition(tx, now));
    return EachHome.run(lease.homes(), home -> archive(lease, home, now) == PAGE_SIZE);
  }

  private int archive(Lease lease, Home home, Instant now) {
    return database.inTransaction(
        tx -> {
          lease.check(tx);
          return archive.moveDue(tx, home, now, ARCHIVABLE_STATUSES, PAGE_SIZE);
        });
  }

  /// The same for one home, without a lease.
  int archive(Home home, Instant now) {
    database.inTransaction(tx -> archive.ensurePartition(tx, now));
    return database.inTransaction(
        tx -> archive.moveDue(tx, home, now, ARCHIVABLE_STATUSES, PAGE_SIZE));
  }
}
