package dev.torg.offers.archive;

import dev.torg.api.v1.Offer;
import dev.torg.offers.lifecycle.ExpireOffer;
import dev.torg.offers.lifecycle.OfferCommand;
import dev.torg.offers.store.ArchiveStore;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.job.Job;
import dev.torg.platform.lease.Lease;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// Expires active offers whose lifetime has ended. Every offer is checked again under its lock, so a
/// concurrent run by a former holder of the lease is safe.
public final class ExpireOffersJob implements Job {
  private static final int PAGE_SIZE = 500;

  private final Database database;
  private final Function<OfferCommand, CompletableFuture<Offer>> writer;
  private final ArchiveStore archive = new ArchiveStore();

  public ExpireOffersJob(
      Database database, Function<OfferCommand, CompletableFuture<Offer>> writer) {
    this.database = database;
    this.writer = writer;
  }

  /// The homes with offers to expire.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> archive.homesDueToExpire(tx, homes, now));
  }

  @Override
  public boolean run(Lease lease, Instant now) {
    return run(lease.homes(), now);
  }

  boolean run(List<Home> homes, Instant now) {
    return EachHome.run(homes, home -> run(home, now));
  }

  /// A failed offer does not prevent others from expiring.
  private boolean run(Home home, Instant now) {
    List<OfferId> due = database.read(tx -> archive.dueToExpire(tx, home, now, PAGE_SIZE));
    CompletableFuture<?>[] expired =
        due.stream()
            .map(id -> writer.apply(new ExpireOffer(id, EpochMicros.of(now))))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(expired).join();
    return due.size() == PAGE_SIZE;
  }
}
