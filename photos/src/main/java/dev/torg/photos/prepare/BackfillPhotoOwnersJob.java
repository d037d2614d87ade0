package dev.torg.photos.prepare;

import dev.torg.photos.PhotoOwnerLookup;
import dev.torg.photos.PhotoOwnerLookup.OwnedPhoto;
import dev.torg.photos.PhotoOwnerLookup.Page;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.job.EachHome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Sets `photo.offer_id` of photos that were prepared before the column existed, once, a page of offers at
/// a time. The photos of a page are written before the position; an interrupted page is repeated, which is
/// idempotent.
public final class BackfillPhotoOwnersJob {
  private static final int OFFERS_PER_PAGE = 500;

  private static final String REMAINING_HOMES =
      "SELECT home FROM photo_owner_backfill WHERE home = ANY (?)";

  private static final String POSITION = "SELECT offer_id FROM photo_owner_backfill WHERE home = ?";

  private static final BatchSql<OwnedPhoto> SET_OWNERS =
      BatchColumns.of(OwnedPhoto::home)
          .texts("id", OwnedPhoto::photo)
          .longs("offer_id", photo -> photo.offer().number())
          .sql(
              """
              UPDATE photo p SET offer_id = k.offer_id FROM :batch(k)
               WHERE p.home = k.home AND p.id = k.id AND p.offer_id IS NULL AND :shard(p)
              """);

  private static final String ADVANCE =
      "UPDATE photo_owner_backfill SET offer_id = ? WHERE home = ? AND offer_id < ?";

  private static final String DONE = "DELETE FROM photo_owner_backfill WHERE home = ?";

  private final Database database;
  private final PhotoOwnerLookup offers;

  public BackfillPhotoOwnersJob(Database database, PhotoOwnerLookup offers) {
    this.database = database;
    this.offers = offers;
  }

  /// The homes that are not complete.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(
        tx -> tx.sql(REMAINING_HOMES).ints(homes, Home::number).list(row -> row.homeAt(1)));
  }

  /// Returns whether there is more to do.
  public boolean run(List<Home> homes, Instant now) {
    return EachHome.run(due(homes, now), this::run);
  }

  private boolean run(Home home) {
    Page page = page(home);
    EachShard.run(database.shards().split(page.photos(), OwnedPhoto::home), this::setOwners);
    boolean more = page.offers() == OFFERS_PER_PAGE;
    database.inTransaction(
        tx ->
            more
                ? tx.sql(ADVANCE).set(page.last()).set(home).set(page.last()).update()
                : tx.sql(DONE).set(home).update());
    return more;
  }

  private Page page(Home home) {
    Optional<Long> after =
        database.read(tx -> tx.sql(POSITION).set(home).first(row -> row.longAt(1)));
    return offers.page(home, after.orElse(Long.MAX_VALUE), OFFERS_PER_PAGE);
  }

  private void setOwners(List<OwnedPhoto> photos) {
    database.transact(tx -> tx.sql(SET_OWNERS, photos).update());
  }
}
