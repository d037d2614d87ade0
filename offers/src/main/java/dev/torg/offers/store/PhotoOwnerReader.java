package dev.torg.offers.store;

import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.part.PhotoSource;
import dev.torg.photos.PhotoOwnerLookup;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Looks up the offers that show photos, for the module that prepares them.
public final class PhotoOwnerReader implements PhotoOwnerLookup {
  private static final String STATUS =
      "SELECT status FROM offer WHERE home = ? AND id = ? AND kind = 'offer'";

  private static final String SELECT_PAGE =
      """
      SELECT id, body FROM offer WHERE home = ? AND id > ? AND kind = 'photos'
      UNION ALL
      SELECT id, body FROM offer_archive WHERE home = ? AND id > ? AND kind = 'photos'
      ORDER BY id LIMIT ?
      """;

  private final Database database;

  public PhotoOwnerReader(Database database) {
    this.database = database;
  }

  @Override
  public Optional<Status> status(OfferId offer) {
    return database.read(
        tx ->
            tx.sql(STATUS)
                .set(offer.home())
                .set(offer.number())
                .first(row -> Status.forNumber(row.intAt(1))));
  }

  @Override
  public Page page(Home home, long afterOffer, int maxOffers) {
    List<OwnedPhoto> photos = new ArrayList<>();
    List<Long> offers =
        database.read(
            tx -> {
              photos.clear();
              return tx.sql(SELECT_PAGE)
                  .set(home)
                  .set(afterOffer)
                  .set(home)
                  .set(afterOffer)
                  .set(maxOffers)
                  .list(
                      row -> {
                        photos.addAll(owned(new OfferId(row.longAt(1)), row.bytesAt(2)));
                        return row.longAt(1);
                      });
            });
    return new Page(photos, offers.size(), offers.isEmpty() ? afterOffer : offers.getLast());
  }

  private static List<OwnedPhoto> owned(OfferId offer, byte[] part) {
    return PhotoPartStore.part(part).getPhotosList().stream()
        .map(PhotoSource::getId)
        .map(photo -> new OwnedPhoto(photo, offer))
        .toList();
  }
}
