package dev.torg.offers.photo.prepare;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.PhotoRequest;
import dev.torg.offers.photo.BadPhoto;
import dev.torg.offers.photo.PhotoIds;
import dev.torg.offers.photo.blob.Blobs;
import dev.torg.offers.photo.fetch.Busy;
import dev.torg.offers.photo.fetch.Unreachable;
import dev.torg.offers.photo.prepare.PhotoStore.Made;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.topics.Event;
import dev.torg.platform.topics.EventHandler;
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

/// Prepares what is asked for on a topic of [dev.torg.offers.photo.PhotoRequests]. It fails only when the
/// database does; whatever else happens is written down, as an answer or as a request put aside.
///
/// A batch is not held up by somebody else's server: what is still being fetched after a while is put
/// aside and goes on by itself, a few dozen at most.
final class PreparePhotos implements EventHandler {
  /// Requests of a partition handled at once: enough that a slow address keeps few waiting.
  static final int BATCH = 32;

  private static final Logger LOG = LoggerFactory.getLogger(PreparePhotos.class);

  /// Fetches that go on without their batch, of all that prepare.
  static final int MOST_LEFT = 48;

  /// When one that was left to itself is looked at again: by then it is over.
  private static final Duration LEFT = Duration.ofMinutes(2);

  private static final Duration LOOK = Duration.ofMillis(200);

  /// How long to leave a store alone that does not answer.
  private static final Duration STORE_AWAY = Duration.ofSeconds(30);

  private final Database database;
  private final Outbox outbox;
  private final MakePhoto make;
  private final PhotoBlobs blobs;
  private final ContentUses uses;
  private final Answers answers;
  private final List<Duration> pauses;
  private final Duration patience;
  private final InstantSource clock;
  private final PhotoMeters meters;
  private final ExecutorService waiting;
  private final PhotoStore photos = new PhotoStore();
  private final Semaphore left;

  PreparePhotos(
      Database database,
      Outbox outbox,
      MakePhoto make,
      PhotoBlobs blobs,
      ContentUses uses,
      Answers answers,
      List<Duration> pauses,
      Duration patience,
      InstantSource clock,
      PhotoMeters meters,
      Semaphore left,
      ExecutorService waiting) {
    this.database = database;
    this.outbox = outbox;
    this.make = make;
    this.blobs = blobs;
    this.uses = uses;
    this.answers = answers;
    this.pauses = pauses;
    this.patience = patience;
    this.clock = clock;
    this.meters = meters;
    this.left = left;
    this.waiting = waiting;
  }

  /// All at once, but for two requests about one photo, which are handled in their order.
  @Override
  public void handle(List<Event> events) throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
    List<OnTheWay> running = new ArrayList<>();
    for (List<PhotoRequest> ofOnePhoto : PhotoBatch.byPhoto(requests(events))) {
      OnTheWay way = new OnTheWay(ofOnePhoto);
      running.add(way);
      waiting.execute(() -> way.run(() -> prepareAll(way)));
    }
    for (OnTheWay way : running) {
      await(way, deadline);
    }
  }

  private void await(OnTheWay way, long deadline) throws Exception {
    Duration time = Duration.ofNanos(deadline - System.nanoTime());
    while (!way.endsWithin(time)) {
      if (way.isFetching() && left.tryAcquire()) {
        way.requests().forEach(request -> putAside(request, LEFT));
        way.whenDone(left::release);
        meters.later("slow");
        return;
      }
      time = LOOK;
    }
  }

  private static List<PhotoRequest> requests(List<Event> events)
      throws InvalidProtocolBufferException {
    List<PhotoRequest> requests = new ArrayList<>();
    for (Event event : events) {
      PhotoRequest request = PhotoRequest.parseFrom(event.payload());
      boolean hasTarget = request.getRemoved() || !Answers.target(request).isEmpty();
      if (!PhotoIds.isId(request.getPhotoId()) || !hasTarget) {
        throw new InvalidProtocolBufferException("a request without a photo or an offer");
      }
      requests.add(request);
    }
    return requests;
  }

  private void prepareAll(OnTheWay way) throws InterruptedException {
    for (PhotoRequest request : way.requests()) {
      try {
        prepare(request, way);
      } catch (Failure e) {
        if (!e.code().equals(Blobs.AWAY)) {
          throw e;
        }
        LOG.warn("photo {} waits for the store", request.getPhotoId(), e);
        putAside(request, STORE_AWAY);
        meters.later("store");
      }
    }
  }

  private void prepare(PhotoRequest request, OnTheWay way) throws InterruptedException {
    Optional<Made> before = database.read(tx -> photos.find(tx, request.getPhotoId()));
    if (request.getRemoved()) {
      remove(request.getPhotoId());
    } else if (before.isEmpty()) {
      attempt(request, way);
    } else if (!before.get().isRemoved()) {
      answer(request, before.get());
      meters.answeredAgain();
    }
  }

  /// Nothing of it is kept but the word that it is gone.
  private void remove(String photo) {
    Optional<String> content =
        database.inTransaction(tx -> photos.remove(tx, photo, clock.instant()));
    content.ifPresent(shown -> uses.end(shown, photo));
    blobs.dropUpload(photo);
  }

  private void attempt(PhotoRequest request, OnTheWay way) throws InterruptedException {
    Timer.Sample sample = meters.begin();
    try {
      MakePhoto.Stored stored = make.run(request, way);
      conclude(request, Made.ready(stored.content(), clock.instant()));
      meters.ready(sample, stored.isNew());
    } catch (BadPhoto e) {
      conclude(request, Made.failed(e.told(), false, clock.instant()));
      meters.failed(sample, e.reason());
    } catch (Busy e) {
      putAside(request, e.after());
      meters.later("busy");
    } catch (Unreachable e) {
      tryLater(request, e.told(), "unreachable", sample);
    } catch (IOException e) {
      LOG.warn("photo {} could not be prepared", request.getPhotoId(), e);
      tryLater(request, "the photo could not be prepared", "error", sample);
    }
  }

  private void tryLater(PhotoRequest request, String told, String reason, Timer.Sample sample) {
    int attempts = request.getAttempts();
    if (attempts < pauses.size()) {
      putAside(request.toBuilder().setAttempts(attempts + 1).build(), pauses.get(attempts));
      meters.later(reason);
    } else {
      conclude(request, Made.failed(told, true, clock.instant()));
      meters.failed(sample, reason);
    }
  }

  /// What was written first holds: it may have been removed meanwhile.
  private void conclude(PhotoRequest request, Made made) {
    String photo = request.getPhotoId();
    Made holds =
        database.inTransaction(
            tx -> {
              boolean first = photos.add(tx, photo, made, offer(request));
              if (!first) {
                setOwner(tx, request);
              }
              Made written = first ? made : photos.find(tx, photo).orElse(made);
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

  private void answer(PhotoRequest request, Made made) {
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

  private void putAside(PhotoRequest request, Duration pause) {
    Instant until = clock.instant().plus(pause);
    database.inTransaction(
        tx -> {
          photos.putAside(
              tx, request.getPhotoId(), Answers.target(request), request.toByteArray(), until);
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
