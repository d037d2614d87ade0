package dev.torg.offers.photo.prepare;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.PhotoRequest;
import dev.torg.offers.photo.InvalidPhotoException;
import dev.torg.offers.photo.PhotoIds;
import dev.torg.offers.photo.blob.BlobStore;
import dev.torg.offers.photo.fetch.HostBusyException;
import dev.torg.offers.photo.fetch.HostUnreachableException;
import dev.torg.offers.photo.prepare.PhotoStore.PhotoOutcome;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.platform.outbox.Outbox;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Prepares what is asked for on a topic of [dev.torg.offers.store.PhotoPartStore]. It fails only when the
/// database does; whatever else happens is written down, as an answer or as a request put aside.
///
/// A batch is not held up by somebody else's server: what is still being fetched after a while is put
/// aside and goes on by itself, a few dozen at most.
final class PhotoRequestsConsumer implements EventHandler {
  /// Requests of a partition handled at once: enough that a slow address keeps few waiting.
  static final int BATCH = 32;

  private static final Logger LOG = LoggerFactory.getLogger(PhotoRequestsConsumer.class);

  /// Fetches that go on without their batch, of all that prepare.
  static final int MAX_DETACHED_FETCHES = 48;

  /// When one that was left to itself is looked at again: by then it is over.
  private static final Duration DETACHED_RETRY_DELAY = Duration.ofMinutes(2);

  private static final Duration FETCH_POLL_INTERVAL = Duration.ofMillis(200);

  /// How long to leave a store alone that does not answer.
  private static final Duration STORE_RETRY_DELAY = Duration.ofSeconds(30);

  private final Database database;
  private final Outbox outbox;
  private final PhotoProcessor make;
  private final PhotoBlobStore blobs;
  private final ContentReferenceStore uses;
  private final PhotoAnswerEvents answers;
  private final List<Duration> pauses;
  private final Duration fetchTimeout;
  private final InstantSource clock;
  private final PhotoMetrics metrics;
  private final ExecutorService waiting;
  private final PhotoStore photos = new PhotoStore();
  private final Semaphore detachedPermits;

  PhotoRequestsConsumer(
      Database database,
      Outbox outbox,
      PhotoProcessor make,
      PhotoBlobStore blobs,
      ContentReferenceStore uses,
      PhotoAnswerEvents answers,
      List<Duration> pauses,
      Duration patience,
      InstantSource clock,
      PhotoMetrics meters,
      Semaphore left,
      ExecutorService waiting) {
    this.database = database;
    this.outbox = outbox;
    this.make = make;
    this.blobs = blobs;
    this.uses = uses;
    this.answers = answers;
    this.pauses = pauses;
    this.fetchTimeout = patience;
    this.clock = clock;
    this.metrics = meters;
    this.detachedPermits = left;
    this.waiting = waiting;
  }

  /// All at once, but for two requests about one photo, which are handled in their order.
  @Override
  public void handle(List<Event> events) throws Exception {
    long deadline = System.nanoTime() + fetchTimeout.toNanos();
    List<PhotoInProgress> running = new ArrayList<>();
    for (List<PhotoRequest> ofOnePhoto : PhotoBatch.byPhoto(requests(events))) {
      PhotoInProgress way = new PhotoInProgress(ofOnePhoto);
      running.add(way);
      waiting.execute(() -> way.run(() -> prepareAll(way)));
    }
    for (PhotoInProgress way : running) {
      await(way, deadline);
    }
  }

  private void await(PhotoInProgress way, long deadline) throws Exception {
    Duration time = Duration.ofNanos(deadline - System.nanoTime());
    while (!way.endsWithin(time)) {
      if (way.isFetching() && detachedPermits.tryAcquire()) {
        way.requests().forEach(request -> defer(request, DETACHED_RETRY_DELAY));
        way.whenDone(detachedPermits::release);
        metrics.later("slow");
        return;
      }
      time = FETCH_POLL_INTERVAL;
    }
  }

  private static List<PhotoRequest> requests(List<Event> events)
      throws InvalidProtocolBufferException {
    List<PhotoRequest> requests = new ArrayList<>();
    for (Event event : events) {
      PhotoRequest request = PhotoRequest.parseFrom(event.payload());
      boolean hasTarget = request.getRemoved() || !PhotoAnswerEvents.target(request).isEmpty();
      if (!PhotoIds.isId(request.getPhotoId()) || !hasTarget) {
        throw new InvalidProtocolBufferException("a request without a photo or an offer");
      }
      requests.add(request);
    }
    return requests;
  }

  private void prepareAll(PhotoInProgress way) throws InterruptedException {
    for (PhotoRequest request : way.requests()) {
      try {
        prepare(request, way);
      } catch (Failure e) {
        if (!e.code().equals(BlobStore.UNAVAILABLE_CODE)) {
          throw e;
        }
        LOG.warn("photo {} waits for the store", request.getPhotoId(), e);
        defer(request, STORE_RETRY_DELAY);
        metrics.later("store");
      }
    }
  }

  private void prepare(PhotoRequest request, PhotoInProgress way) throws InterruptedException {
    Optional<PhotoOutcome> before = database.read(tx -> photos.find(tx, request.getPhotoId()));
    if (request.getRemoved()) {
      remove(request.getPhotoId());
    } else if (before.isEmpty()) {
      attempt(request, way);
    } else if (!before.get().isRemoved()) {
      answer(request, before.get());
      metrics.answerRepeated();
    }
  }

  /// Nothing of it is kept but the word that it is gone.
  private void remove(String photo) {
    Optional<String> content =
        database.inTransaction(tx -> photos.remove(tx, photo, clock.instant()));
    content.ifPresent(shown -> uses.end(shown, photo));
    blobs.dropUpload(photo);
  }

  private void attempt(PhotoRequest request, PhotoInProgress way) throws InterruptedException {
    Timer.Sample sample = metrics.begin();
    try {
      PhotoProcessor.Stored stored = make.run(request, way);
      conclude(request, PhotoOutcome.ready(stored.content(), clock.instant()));
      metrics.ready(sample, stored.isNew());
    } catch (InvalidPhotoException e) {
      conclude(request, PhotoOutcome.failed(e.description(), false, clock.instant()));
      metrics.failed(sample, e.reason());
    } catch (HostBusyException e) {
      defer(request, e.after());
      metrics.later("busy");
    } catch (HostUnreachableException e) {
      tryLater(request, e.description(), "unreachable", sample);
    } catch (IOException e) {
      LOG.warn("photo {} could not be prepared", request.getPhotoId(), e);
      tryLater(request, "the photo could not be prepared", "error", sample);
    }
  }

  private void tryLater(PhotoRequest request, String told, String reason, Timer.Sample sample) {
    int attempts = request.getAttempts();
    if (attempts < pauses.size()) {
      defer(request.toBuilder().setAttempts(attempts + 1).build(), pauses.get(attempts));
      metrics.later(reason);
    } else {
      conclude(request, PhotoOutcome.failed(told, true, clock.instant()));
      metrics.failed(sample, reason);
    }
  }

  /// What was written first holds: it may have been removed meanwhile.
  private void conclude(PhotoRequest request, PhotoOutcome made) {
    String photo = request.getPhotoId();
    PhotoOutcome holds =
        database.inTransaction(
            tx -> {
              boolean first = photos.add(tx, photo, made, offer(request));
              if (!first) {
                setOwner(tx, request);
              }
              PhotoOutcome written = first ? made : photos.find(tx, photo).orElse(made);
              if (!written.isRemoved()) {
                outbox.append(tx, List.of(answers.to(request, written)));
              }
              return written;
            });
    LOG.debug("photo {} is {} {}", photo, holds.status(), holds.error());
    if (holds.isRemoved() && !made.content().isEmpty()) {
      uses.end(made.content(), photo);
    }
    if (request.getUrl().isEmpty()) {
      dropUpload(photo);
    }
  }

  private void answer(PhotoRequest request, PhotoOutcome made) {
    database.inTransaction(
        tx -> {
          setOwner(tx, request);
          outbox.append(tx, List.of(answers.to(request, made)));
          return true;
        });
  }

  /// A published draft asks again for its photos, in the name of the offer that shows them from then on.
  private void setOwner(Tx tx, PhotoRequest request) throws SQLException {
    Optional<OfferId> offer = offer(request);
    if (offer.isPresent()) {
      photos.setOwner(tx, request.getPhotoId(), offer.get());
    }
  }

  private static Optional<OfferId> offer(PhotoRequest request) {
    return request.hasDraft() ? Optional.empty() : Optional.of(OfferId.parse(request.getOfferId()));
  }

  private void defer(PhotoRequest request, Duration pause) {
    Instant until = clock.instant().plus(pause);
    database.inTransaction(
        tx -> {
          photos.defer(
              tx,
              request.getPhotoId(),
              PhotoAnswerEvents.target(request),
              request.toByteArray(),
              until);
          return true;
        });
  }

  /// What stays is swept later.
  private void dropUpload(String photo) {
    try {
      blobs.dropUpload(photo);
    } catch (Failure e) {
      LOG.warn("the upload of photo {} stays for now: {}", photo, e.getMessage());
    }
  }
}
