package dev.torg.offers.photo.prepare;

import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.photo.PhotoIds;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.HomedSql;
import dev.torg.platform.job.EachHome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/// Sets `photo.offer_id` of photos that were prepared before the column was there, once, a page of offers
/// at a time. The photos of a page are written before the position, so a page that is interrupted is
/// done again, which changes nothing.
final class BackfillPhotoOwnersJob {
  private static final int OFFERS_PER_PAGE = 500;

  private static final String HOMES_LEFT =
      "SELECT home FROM photo_owner_backfill WHERE home = ANY (?)";

  private static final String POSITION = "SELECT offer_id FROM photo_owner_backfill WHERE home = ?";

  private static final String SELECT_PAGE =
      """
      SELECT id, body FROM offer WHERE home = ? AND id > ? AND kind = 'photos'
      UNION ALL
      SELECT id, body FROM offer_archive WHERE home = ? AND id > ? AND kind = 'photos'
      ORDER BY id LIMIT ?
      """;

  private static final HomedSql SET_OWNERS =
      HomedSql.of(
          """
          UPDATE photo p SET offer_id = k.offer_id
            FROM unnest(?::int[], ?::text[], ?::bigint[]) AS k (home, id, offer_id)
           WHERE p.home = k.home AND p.id = k.id AND p.offer_id IS NULL AND :home(p)
          """);

  private static final String ADVANCE =
      "UPDATE photo_owner_backfill SET offer_id = ? WHERE home = ? AND offer_id < ?";

  private static final String DONE = "DELETE FROM photo_owner_backfill WHERE home = ?";

  private final Database database;

  BackfillPhotoOwnersJob(Database database) {
    this.database = database;
  }

  /// A photo and the offer that shows it.
  private record Owned(String photo, OfferId offer) {
    Home home() {
      return PhotoIds.home(photo);
    }
  }

  private record Page(List<Owned> photos, int offers, long last) {}

  /// Where photos are left.
  List<Home> due(List<Home> homes, Instant now) {
    return database.read(
        tx -> tx.sql(HOMES_LEFT).ints(homes, Home::number).list(row -> row.homeAt(1)));
  }

  /// Whether there is more.
  boolean run(List<Home> homes, Instant now) {
    return EachHome.run(due(homes, now), this::run);
  }

  private boolean run(Home home) {
    Page page = page(home);
    batches(page.photos()).forEach(this::setOwners);
    boolean more = page.offers() == OFFERS_PER_PAGE;
    database.inTransaction(
        tx ->
            more
                ? tx.sql(ADVANCE).set(page.last()).set(home).set(page.last()).update()
                : tx.sql(DONE).set(home).update());
    return more;
  }

  private Page page(Home home) {
    return database.read(
        tx -> {
          long after =
              tx.sql(POSITION).set(home).first(row -> row.longAt(1)).orElse(Long.MAX_VALUE);
          List<Owned> photos = new ArrayList<>();
          List<Long> offers =
              tx.sql(SELECT_PAGE)
                  .set(home)
                  .set(after)
                  .set(home)
                  .set(after)
                  .set(OFFERS_PER_PAGE)
                  .list(
                      row -> {
                        photos.addAll(owned(new OfferId(row.longAt(1)), row.bytesAt(2)));
                        return row.longAt(1);
                      });
          return new Page(photos, offers.size(), offers.isEmpty() ? after : offers.getLast());
        });
  }

  private static List<Owned> owned(OfferId offer, byte[] part) {
    return PhotoPartStore.part(part).getPhotosList().stream()
        .map(PhotoSource::getId)
        .map(photo -> new Owned(photo, offer))
        .toList();
  }

  /// On Citus a statement is about one home.
  private Collection<List<Owned>> batches(List<Owned> photos) {
    if (photos.isEmpty()) {
      return List.of();
    }
    return database.isDistributed()
        ? photos.stream().collect(Collectors.groupingBy(Owned::home)).values()
        : List.of(photos);
  }

  private void setOwners(List<Owned> photos) {
    database.inTransaction(
        tx ->
            tx.sql(SET_OWNERS, photos, Owned::home)
                .homes(photos, Owned::home)
                .texts(photos, Owned::photo)
                .longs(photos, owned -> owned.offer().number())
                .update());
  }
}
