package dev.torg.offers.photo.prepare;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo.Status;
import dev.torg.offers.photo.PhotoIds;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Keeps what has become of photos, written once for each, and the requests that wait for another
/// attempt. Both are found by the home of the photo's id.
final class PhotoStore {
  private static final String FIND =
      "SELECT status, passing, at, error, content FROM photo WHERE home = ? AND id = ?";

  private static final String ADD =
      """
      INSERT INTO photo (home, id, status, passing, at, error, content, offer_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?::bigint)
      ON CONFLICT DO NOTHING
      """;

  /// A draft's photo becomes an offer's once, and stays that offer's.
  private static final String SET_OWNER =
      "UPDATE photo SET offer_id = ? WHERE home = ? AND id = ? AND offer_id IS NULL";

  private static final String OWNER =
      "SELECT offer_id FROM photo WHERE home = ? AND id = ? AND status = ?";

  private static final String OFFER_STATUS =
      "SELECT status FROM offer WHERE home = ? AND id = ? AND kind = 'offer'";

  /// What was made of it is told, for its content.
  private static final String REMOVE =
      """
      INSERT INTO photo AS p (home, id, status, passing, at, error) VALUES (?, ?, 0, false, ?, '')
      ON CONFLICT (home, id) DO UPDATE SET status = 0, at = EXCLUDED.at
      RETURNING content
      """;

  private static final String DELETE_DEFERRED =
      "DELETE FROM photo_retry WHERE home = ? AND photo_id = ?";

  private static final String PURGE = "DELETE FROM photo WHERE home = ? AND status = 0 AND at < ?";

  private static final String INSERT_DEFERRED =
      """
      INSERT INTO photo_retry (home, photo_id, target, run_at, request) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (home, photo_id, target)
      DO UPDATE SET run_at = EXCLUDED.run_at, request = EXCLUDED.request
      """;

  private static final String WITH_DUE =
      "SELECT DISTINCT home FROM photo_retry WHERE home = ANY (?) AND run_at <= ?";

  /// Takes them away for good: the caller sends them in the same transaction.
  private static final String TAKE_DUE =
      """
      DELETE FROM photo_retry WHERE home = ? AND (photo_id, target) IN
             (SELECT photo_id, target FROM photo_retry
               WHERE home = ? AND run_at <= ? ORDER BY run_at LIMIT ?)
      RETURNING request
      """;

  /// What has become of a photo.
  ///
  /// @param content in hexadecimal digits; empty unless it is ready
  record PhotoOutcome(Status status, boolean retryable, Instant at, String error, String content) {
    static PhotoOutcome ready(String content, Instant at) {
      return new PhotoOutcome(Status.READY, false, at, "", content);
    }

    /// Nobody shows it any more.
    boolean isRemoved() {
      return status == Status.STATUS_UNSPECIFIED;
    }

    static PhotoOutcome failed(String error, boolean passing, Instant at) {
      return new PhotoOutcome(Status.FAILED, passing, at, error, "");
    }
  }

  /// What shows a photo: an offer, or a draft.
  record Owner(Optional<OfferId> offer) {}

  Optional<PhotoOutcome> find(Tx tx, String id) throws SQLException {
    return tx.sql(FIND).set(PhotoIds.home(id)).set(id).first(PhotoStore::outcome);
  }

  /// False when another was faster: what that one has written holds.
  boolean add(Tx tx, String id, PhotoOutcome made, Optional<OfferId> offer) throws SQLException {
    return tx.sql(ADD)
            .set(PhotoIds.home(id))
            .set(id)
            .set(made.status().getNumber())
            .set(made.retryable())
            .set(made.at())
            .set(made.error())
            .set(made.content().isEmpty() ? null : HexFormat.of().parseHex(made.content()))
            .set(offer.map(shows -> Long.toString(shows.number())).orElse(null))
            .update()
        == 1;
  }

  /// Sets the offer that shows the photo, unless it has one.
  void setOwner(Tx tx, String id, OfferId offer) throws SQLException {
    tx.sql(SET_OWNER).set(offer.number()).set(PhotoIds.home(id)).set(id).update();
  }

  /// Of a photo that is ready.
  Optional<Owner> owner(Tx tx, String id) throws SQLException {
    return tx.sql(OWNER)
        .set(PhotoIds.home(id))
        .set(id)
        .set(Status.READY_VALUE)
        .first(row -> new Owner(row.optionalLongAt(1).map(OfferId::new)));
  }

  Optional<Offer.Status> offerStatus(Tx tx, OfferId offer) throws SQLException {
    return tx.sql(OFFER_STATUS)
        .set(offer.home())
        .set(offer.number())
        .first(row -> Offer.Status.forNumber(row.intAt(1)));
  }

  /// From now on it is made for nobody; the content it had, if any.
  Optional<String> remove(Tx tx, String id, Instant at) throws SQLException {
    tx.sql(DELETE_DEFERRED).set(PhotoIds.home(id)).set(id).update();
    return tx.sql(REMOVE)
        .set(PhotoIds.home(id))
        .set(id)
        .set(at)
        .first(row -> row.optionalBytesAt(1).map(HexFormat.of()::formatHex))
        .flatMap(content -> content);
  }

  /// Forgets that photos were removed, once no request for them can come any more.
  int purge(Tx tx, Home home, Instant before) throws SQLException {
    return tx.sql(PURGE).set(home).set(before).update();
  }

  void defer(Tx tx, String id, String target, byte[] request, Instant until) throws SQLException {
    tx.sql(INSERT_DEFERRED)
        .set(PhotoIds.home(id))
        .set(id)
        .set(target)
        .set(until)
        .set(request)
        .update();
  }

  List<Home> withDue(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(WITH_DUE).ints(homes, Home::number).set(now).list(row -> row.homeAt(1));
  }

  List<byte[]> pollDue(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(TAKE_DUE).set(home).set(home).set(now).set(limit).list(row -> row.bytesAt(1));
  }

  private static PhotoOutcome outcome(Row row) throws SQLException {
    return new PhotoOutcome(
        Status.forNumber(row.intAt(1)),
        row.booleanAt(2),
        row.instantAt(3),
        row.textAt(4),
        row.optionalBytesAt(5).map(HexFormat.of()::formatHex).orElse(""));
  }
}
