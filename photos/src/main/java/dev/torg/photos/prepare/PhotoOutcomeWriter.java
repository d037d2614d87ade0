package dev.torg.photos.prepare;

import dev.torg.api.v1.PhotoRequest;
import dev.torg.photos.prepare.PhotoStore.PhotoOutcome;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records the outcome of photo requests. An outcome and its answer commit together, so each request is
/// answered at least once; the first outcome of a photo is final.
public final class PhotoOutcomeWriter {
  private static final Logger LOG = LoggerFactory.getLogger(PhotoOutcomeWriter.class);

  private final Database database;
  private final Outbox outbox;
  private final PhotoBlobStore blobs;
  private final ContentReferenceStore references;
  private final PhotoAnswerEvents answers;
  private final InstantSource clock;
  private final PhotoStore photos = new PhotoStore();

  /// @param baseUrl prefix of picture addresses in answers
  public PhotoOutcomeWriter(
      Database database,
      Outbox outbox,
      PhotoBlobStore blobs,
      ContentReferenceStore references,
      String baseUrl,
      InstantSource clock) {
    this.database = database;
    this.outbox = outbox;
    this.blobs = blobs;
    this.references = references;
    this.answers = new PhotoAnswerEvents(baseUrl);
    this.clock = clock;
  }

  Optional<PhotoOutcome> find(String photo) {
    return database.read(tx -> photos.find(tx, photo));
  }

  void ready(PhotoRequest request, String content) {
    conclude(request, PhotoOutcome.ready(content, clock.instant()));
  }

  /// @param retryable whether a later feed may request the photo again
  void failed(PhotoRequest request, String error, boolean retryable) {
    conclude(request, PhotoOutcome.failed(error, retryable, clock.instant()));
  }

  /// Writes the outcome unless the photo has one; it may have been removed meanwhile.
  private void conclude(PhotoRequest request, PhotoOutcome outcome) {
    String photo = request.getPhotoId();
    PhotoOutcome stored = database.inTransaction(tx -> conclude(tx, request, outcome));
    LOG.debug("photo {} is {} {}", photo, stored.status(), stored.error());
    if (stored.isRemoved() && !outcome.content().isEmpty()) {
      references.end(outcome.content(), photo);
    }
    if (request.getUrl().isEmpty()) {
      dropUpload(photo);
    }
  }

  private PhotoOutcome conclude(Tx tx, PhotoRequest request, PhotoOutcome outcome)
      throws SQLException {
    String photo = request.getPhotoId();
    boolean first = photos.add(tx, photo, outcome, offer(request));
    if (!first) {
      setOwner(tx, request);
    }
    PhotoOutcome stored = first ? outcome : photos.find(tx, photo).orElse(outcome);
    if (!stored.isRemoved()) {
      outbox.append(tx, List.of(answers.to(request, stored)));
    }
    return stored;
  }

  /// Answers a request for a photo that has an outcome.
  void answer(PhotoRequest request, PhotoOutcome outcome) {
    database.transact(
        tx -> {
          setOwner(tx, request);
          outbox.append(tx, List.of(answers.to(request, outcome)));
        });
  }

  /// Stores the request until the delay has passed.
  void defer(PhotoRequest request, Duration delay) {
    Instant until = clock.instant().plus(delay);
    database.transact(
        tx ->
            photos.defer(
                tx,
                request.getPhotoId(),
                PhotoAnswerEvents.target(request),
                request.toByteArray(),
                until));
  }

  /// Removes the photo, leaving a tombstone.
  void remove(String photo) {
    Optional<String> content =
        database.inTransaction(tx -> photos.remove(tx, photo, clock.instant()));
    content.ifPresent(removed -> references.end(removed, photo));
    blobs.dropUpload(photo);
  }

  /// A published draft requests its photos again, on behalf of the offer that shows them from then on.
  private void setOwner(Tx tx, PhotoRequest request) throws SQLException {
    Optional<OfferId> offer = offer(request);
    if (offer.isPresent()) {
      photos.setOwner(tx, request.getPhotoId(), offer.get());
    }
  }

  private static Optional<OfferId> offer(PhotoRequest request) {
    return request.hasDraft() ? Optional.empty() : Optional.of(OfferId.parse(request.getOfferId()));
  }

  /// An upload that cannot be deleted now is swept later.
  private void dropUpload(String photo) {
    try {
      blobs.dropUpload(photo);
    } catch (Failure e) {
      LOG.warn("the upload of photo {} is not deleted yet: {}", photo, e.getMessage());
    }
  }
}
