package dev.torg.photos.prepare;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.PhotoRequest;
import dev.torg.photos.Blob;
import dev.torg.photos.InvalidPhotoException;
import dev.torg.photos.PhotoIds;
import dev.torg.photos.PhotoLane;
import dev.torg.photos.PhotoSettings;
import dev.torg.photos.fetch.HostBusyException;
import dev.torg.photos.fetch.HostUnreachableException;
import dev.torg.photos.prepare.PhotoStore.PhotoOutcome;
import dev.torg.platform.Failure;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Prepares the photos requested on the topic of one lane. It fails only if the database fails; every other
/// outcome is recorded as an answer or as a deferred request.
///
/// A slow server does not hold up a batch: a photo that is still being fetched after the queue timeout
/// is deferred and its fetch continues detached from the batch, for a bounded number of photos.
public final class PhotoRequestsConsumer implements EventHandler {
  /// Requests of a partition handled at once: small enough that a slow address delays few others.
  public static final int BATCH = 32;

  /// Fetches that continue detached from their batch, of all lanes.
  public static final int MAX_DETACHED_FETCHES = 48;

  private static final Logger LOG = LoggerFactory.getLogger(PhotoRequestsConsumer.class);

  /// When a detached photo is checked again; its fetch has ended by then.
  private static final Duration DETACHED_RETRY_DELAY = Duration.ofMinutes(2);

  private static final Duration FETCH_POLL_INTERVAL = Duration.ofMillis(200);

  /// The delay after a failure of the blob store.
  private static final Duration STORE_RETRY_DELAY = Duration.ofSeconds(30);

  private final PhotoLane lane;
  private final PhotoProcessor processor;
  private final PhotoOutcomeWriter outcomes;
  private final List<Duration> retryDelays;
  private final Duration queueTimeout;
  private final PhotoMetrics metrics;
  private final Semaphore detachedPermits;
  private final ExecutorService threads;

  /// @param detachedPermits shared by all lanes
  public PhotoRequestsConsumer(
      PhotoLane lane,
      PhotoProcessor processor,
      PhotoOutcomeWriter outcomes,
      PhotoSettings settings,
      PhotoMetrics metrics,
      Semaphore detachedPermits,
      ExecutorService threads) {
    this.lane = lane;
    this.processor = processor;
    this.outcomes = outcomes;
    this.retryDelays = settings.retryDelays();
    this.queueTimeout = settings.fetch().queueTimeout();
    this.metrics = metrics;
    this.detachedPermits = detachedPermits;
    this.threads = threads;
  }

  /// Handles all photos concurrently, and the requests for one photo in their order.
  @Override
  public void handle(List<Event> events) throws Exception {
    long deadline = System.nanoTime() + queueTimeout.toNanos();
    List<PhotoInProgress> running = new ArrayList<>();
    for (List<PhotoRequest> requests : byPhoto(requests(events))) {
      PhotoInProgress photo = new PhotoInProgress(requests);
      running.add(photo);
      threads.execute(() -> photo.run(() -> prepareAll(photo)));
    }
    for (PhotoInProgress photo : running) {
      await(photo, deadline);
    }
  }

  private static Iterable<List<PhotoRequest>> byPhoto(List<PhotoRequest> requests) {
    return requests.stream()
        .collect(
            Collectors.groupingBy(
                PhotoRequest::getPhotoId, LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  private void await(PhotoInProgress photo, long deadline) throws Exception {
    Duration time = Duration.ofNanos(deadline - System.nanoTime());
    while (!photo.endsWithin(time)) {
      if (photo.isFetching() && detachedPermits.tryAcquire()) {
        photo.requests().forEach(request -> outcomes.defer(request, DETACHED_RETRY_DELAY));
        photo.whenDone(detachedPermits::release);
        metrics.deferred("slow");
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

  private void prepareAll(PhotoInProgress photo) throws InterruptedException {
    for (PhotoRequest request : photo.requests()) {
      try {
        prepare(request, photo);
      } catch (Failure e) {
        if (!e.code().equals(Blob.UNAVAILABLE_CODE)) {
          throw e;
        }
        LOG.warn("photo {} waits for the store", request.getPhotoId(), e);
        outcomes.defer(request, STORE_RETRY_DELAY);
        metrics.deferred("store");
      }
    }
  }

  private void prepare(PhotoRequest request, PhotoInProgress photo) throws InterruptedException {
    Optional<PhotoOutcome> outcome = outcomes.find(request.getPhotoId());
    if (request.getRemoved()) {
      outcomes.remove(request.getPhotoId());
    } else if (outcome.isEmpty()) {
      attempt(request, photo);
    } else if (!outcome.get().isRemoved()) {
      outcomes.answer(request, outcome.get());
      metrics.answerRepeated();
    }
  }

  private void attempt(PhotoRequest request, PhotoInProgress photo) throws InterruptedException {
    Timer.Sample sample = metrics.begin();
    try {
      PhotoProcessor.Stored stored = processor.run(lane, request, photo);
      outcomes.ready(request, stored.content());
      metrics.ready(sample, stored.isNew());
    } catch (InvalidPhotoException e) {
      outcomes.failed(request, e.description(), false);
      metrics.failed(sample, e.reason());
    } catch (HostBusyException e) {
      outcomes.defer(request, e.after());
      metrics.deferred("busy");
    } catch (HostUnreachableException e) {
      retry(request, e.description(), "unreachable", sample);
    } catch (IOException e) {
      LOG.warn("photo {} could not be prepared", request.getPhotoId(), e);
      retry(request, "the photo could not be prepared", "error", sample);
    }
  }

  /// Defers the request, or fails it after the last attempt.
  private void retry(PhotoRequest request, String error, String reason, Timer.Sample sample) {
    int attempts = request.getAttempts();
    if (attempts < retryDelays.size()) {
      PhotoRequest next = request.toBuilder().setAttempts(attempts + 1).build();
      outcomes.defer(next, retryDelays.get(attempts));
      metrics.deferred(reason);
    } else {
      outcomes.failed(request, error, true);
      metrics.failed(sample, reason);
    }
  }
}
