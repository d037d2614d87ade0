package dev.torg.photos.prepare;

import dev.torg.api.v1.Photo.Status;
import dev.torg.photos.PhotoIds;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Stores the outcome of each photo, which is written once, and the deferred requests. Both are in the
/// home of the photo's id.
final class PhotoStore {
  private static final String FIND =
      "SELECT status, passing, at, error, content FROM photo WHERE home = ? AND id = ?";

  private static final String ADD =
      """
      INSERT INTO photo (home, id, status, passing, at, error, content, offer_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?::bigint)
      ON CONFLICT DO NOTHING
      """;

  /// A draft's photo is assigned to an offer once and stays assigned to it.
  private static final String SET_OWNER =
      "UPDATE photo SET offer_id = ? WHERE home = ? AND id = ? AND offer_id IS NULL";

  private static final String OWNER =
      "SELECT offer_id FROM photo WHERE home = ? AND id = ? AND status = ?";

  /// The status of a tombstone: a removed photo.
  private static final Status REMOVED = Status.STATUS_UNSPECIFIED;

  /// Returns the content that the photo had.
  private static final String REMOVE =
      """
      INSERT INTO photo AS p (home, id, status, passing, at, error) VALUES (?, ?, ?, false, ?, '')
      ON CONFLICT (home, id) DO UPDATE SET status = EXCLUDED.status, at = EXCLUDED.at
      RETURNING content
      """;

  private static final String DELETE_DEFERRED =
      "DELETE FROM photo_retry WHERE home = ? AND photo_id = ?";

  private static final String PURGE = "DELETE FROM photo WHERE home = ? AND status = ? AND at < ?";

  private static final String INSERT_DEFERRED =
      """
      INSERT INTO photo_retry (home, photo_id, target, run_at, request) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (home, photo_id, target)
      DO UPDATE SET run_at = EXCLUDED.run_at, request = EXCLUDED.request
      """;

  private static final String WITH_DUE =
      "SELECT DISTINCT home FROM photo_retry WHERE home = ANY (?) AND run_at <= ?";

  /// Deletes the due requests; the caller sends them in the same transaction.
  private static final String POLL_DUE =
      """
      DELETE FROM photo_retry WHERE home = ? AND (photo_id, target) IN
             (SELECT photo_id, target FROM photo_retry
               WHERE home = ? AND run_at <= ? ORDER BY run_at LIMIT ?)
      RETURNING request
      """;

  /// The outcome of a photo.
  ///
  /// @param retryable whether a later feed may request the photo again
  /// @param content SHA-256 of the original in hexadecimal digits; empty unless the photo is ready
  record PhotoOutcome(Status status, boolean retryable, Instant at, String error, String content) {
    static PhotoOutcome ready(String content, Instant at) {
      return new PhotoOutcome(Status.READY, false, at, "", content);
    }

    /// Whether no offer or draft shows it any more.
    boolean isRemoved() {
      return status == REMOVED;
    }

    static PhotoOutcome failed(String error, boolean retryable, Instant at) {
      return new PhotoOutcome(Status.FAILED, retryable, at, error, "");
    }
  }

  /// The offer that shows a photo; empty if a draft shows it.
  record Owner(Optional<OfferId> offer) {}

  Optional<PhotoOutcome> find(Tx tx, String id) throws SQLException {
    return tx.sql(FIND).set(PhotoIds.home(id)).set(id).first(PhotoStore::outcome);
  }

  /// Returns false if the photo already has an outcome, which is final.
  boolean add(Tx tx, String id, PhotoOutcome outcome, Optional<OfferId> offer) throws SQLException {
    return tx.sql(ADD)
            .set(PhotoIds.home(id))
            .set(id)
            .set(outcome.status().getNumber())
            .set(outcome.retryable())
            .set(outcome.at())
            .set(outcome.error())
            .set(outcome.content().isEmpty() ? null : HexFormat.of().parseHex(outcome.content()))
            .set(offer.map(owner -> Long.toString(owner.number())).orElse(null))
            .update()
        == 1;
  }

  /// Sets the offer that shows the photo, unless it has one.
  void setOwner(Tx tx, String id, OfferId offer) throws SQLException {
    tx.sql(SET_OWNER).set(offer.number()).set(PhotoIds.home(id)).set(id).update();
  }

  /// The owner of a ready photo.
  Optional<Owner> owner(Tx tx, String id) throws SQLException {
    return tx.sql(OWNER)
        .set(PhotoIds.home(id))
        .set(id)
        .set(Status.READY_VALUE)
        .first(row -> new Owner(row.optionalLongAt(1).map(OfferId::new)));
  }

  /// Leaves a tombstone. Returns the content that the photo had, if any.
  Optional<String> remove(Tx tx, String id, Instant at) throws SQLException {
    tx.sql(DELETE_DEFERRED).set(PhotoIds.home(id)).set(id).update();
    return tx.sql(REMOVE)
        .set(PhotoIds.home(id))
        .set(id)
        .set(REMOVED.getNumber())
        .set(at)
        .first(row -> row.optionalBytesAt(1).map(HexFormat.of()::formatHex))
        .flatMap(content -> content);
  }

  /// Deletes tombstones, once no request for their photos can arrive any more.
  int purge(Tx tx, Home home, Instant before) throws SQLException {
    return tx.sql(PURGE).set(home).set(REMOVED.getNumber()).set(before).update();
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
    return tx.sql(POLL_DUE).set(home).set(home).set(now).set(limit).list(row -> row.bytesAt(1));
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
