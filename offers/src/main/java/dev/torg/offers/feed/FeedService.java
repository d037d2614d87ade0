package dev.torg.offers.feed;

import dev.torg.offers.FeedUploadRequest;
import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.offers.feed.format.FeedReader;
import dev.torg.offers.feed.format.UnreadableFeedException;
import dev.torg.offers.lifecycle.OfferAccess;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;

/// Accepts feeds. All methods block; an upload blocks until its sender has finished.
public final class FeedService {
  private final Database database;
  private final FeedChunkWriter writer;
  private final FinishFeed finish;
  private final FeedThrottle throttle;
  private final FeedSettings settings;
  private final InstantSource clock;
  private final Executor threads;
  private final UploadSlots slots;
  private final FeedTaskStore tasks = new FeedTaskStore();
  private final FeedErrorStore errors = new FeedErrorStore();
  private final FeedTaskEvents events;

  public FeedService(
      Database database,
      FeedChunkWriter writer,
      FinishFeed finish,
      FeedThrottle throttle,
      Outbox outbox,
      FeedSettings settings,
      InstantSource clock,
      Executor threads) {
    this.database = database;
    this.writer = writer;
    this.finish = finish;
    this.throttle = throttle;
    this.events = new FeedTaskEvents(outbox);
    this.settings = settings;
    this.clock = clock;
    this.threads = threads;
    this.slots = new UploadSlots(settings.uploads(), settings.uploadsPerSeller());
  }

  /// Reads the feed to its end and writes its items; if it is complete, removes the offers that it did
  /// not name. A feed that cannot be read to its end keeps the items before the error and leaves the
  /// task FAILED. If the sender disconnects, the task stays RUNNING and continues when the feed is
  /// uploaded again.
  public StoredFeedTask upload(Caller caller, FeedUploadRequest feed, FeedReader reader) {
    requireMayFeed(caller, feed.seller());
    if (!slots.acquire(feed.seller())) {
      throw Failure.exhausted("feed.too-many", "too many uploads at once; try again later");
    }
    try {
      UploadId upload = database.inTransaction(tx -> begin(tx, feed));
      return readItems(upload, feed, reader) && feed.complete()
          ? finish.run(upload.task(), feed.force(), true)
          : find(upload.task());
    } finally {
      slots.release(feed.seller());
    }
  }

  public StoredFeedTask finish(Caller caller, StoredFeedTask.Key task, boolean force) {
    requireMayFeed(caller, task.seller());
    return finish.run(task, force, false);
  }

  public StoredFeedTask get(Caller caller, StoredFeedTask.Key task) {
    requireMayFeed(caller, task.seller());
    return find(task);
  }

  /// Tasks up to the given number, newest first.
  public List<StoredFeedTask> list(Caller caller, String seller, long newest, int size) {
    requireMayFeed(caller, seller);
    return database.read(tx -> tasks.page(tx, seller, newest, size));
  }

  /// Errors after the given position, ordered by line.
  public List<FeedEntry.Invalid> errors(
      Caller caller, StoredFeedTask.Key task, int line, long fingerprint, int size) {
    requireMayFeed(caller, task.seller());
    find(task);
    return database.read(tx -> errors.page(tx, task, line, fingerprint, size));
  }

  /// Allowed for the seller, services and admins. An anonymous seller has no feeds.
  public static void requireMayFeed(Caller caller, String seller) {
    boolean own = OfferAccess.owns(caller, seller) && !caller.isAnonymous();
    if (!own && !caller.has(Role.SERVICE) && !caller.has(Role.ADMIN)) {
      throw Failure.forbidden("seller.not-you", "only the seller may do this");
    }
    if (seller.startsWith(Caller.ANONYMOUS_PREFIX)) {
      throw Failure.forbidden("seller.anonymous", "a seller without a login has no feeds");
    }
  }

  static Failure noSuchTask() {
    return Failure.notFound("feed.no-such-task", "no such task");
  }

  private UploadId begin(Tx tx, FeedUploadRequest feed) throws SQLException {
    StoredFeedTask.Key key = new StoredFeedTask.Key(feed.seller(), feed.taskId());
    FeedTaskStore.Seller seller = tasks.lockSeller(tx, feed.seller(), 1);
    if (feed.taskId() <= seller.closed()) {
      throw Failure.conflict(
          "feed.task-old",
          "the last finished task of this seller is " + seller.closed() + "; take a higher number");
    }
    tasks.begin(tx, key, clock.instant());
    return new UploadId(key, seller.uploads());
  }

  /// Returns whether the feed was read to its end.
  private boolean readItems(UploadId upload, FeedUploadRequest feed, FeedReader reader) {
    FeedLanes lanes =
        new FeedLanes(settings.lanes(), settings.chunk(), chunk -> write(upload, chunk), threads);
    try {
      return process(upload, feed, reader, lanes);
    } catch (IOException e) {
      stop(lanes);
      throw Failure.unavailable(
          "feed.cut-off", "the upload was cut off; upload it again under the same number", e);
    } catch (RuntimeException | Error e) {
      stop(lanes);
      throw e;
    } catch (InterruptedException e) {
      lanes.drop();
      Thread.currentThread().interrupt();
      throw Failure.unavailable("server.stopping", "this server is shutting down", e);
    }
  }

  private boolean process(
      UploadId upload, FeedUploadRequest feed, FeedReader reader, FeedLanes lanes)
      throws IOException, InterruptedException {
    UploadMarker open = new UploadMarker(database, tasks, upload.task());
    Instant end = clock.instant().plus(settings.maxDuration());
    try {
      for (FeedEntry entry = reader.next(); entry != null; entry = reader.next()) {
        requireBefore(end);
        open.open(entry);
        lanes.add(entry);
      }
      lanes.finish();
      open.complete();
      return true;
    } catch (UnreadableFeedException broken) {
      lanes.add(broken.entry());
      lanes.finish();
      database.transact(
          tx -> fail(tx, upload.task(), StoredFeedTask.ReadFailure.of(feed.complete()), broken));
      open.complete();
      return false;
    }
  }

  private void requireBefore(Instant end) throws IOException {
    if (clock.instant().isAfter(end)) {
      throw new IOException("the upload took longer than " + settings.maxDuration());
    }
  }

  private void fail(
      Tx tx,
      StoredFeedTask.Key task,
      StoredFeedTask.ReadFailure readFailure,
      UnreadableFeedException broken)
      throws SQLException {
    String where = broken.line() > 0 ? "line " + broken.line() + ": " : "";
    tasks.lockSeller(tx, task.seller(), 0);
    Instant at = tasks.laterThanLastChange(tx, task, clock.instant());
    if (tasks.fail(tx, task, readFailure, where + broken.describe(), at)) {
      events.ended(tx, task);
    }
  }

  private void write(UploadId upload, List<FeedEntry> chunk) {
    throttle.throttle(upload.task().home());
    writer.write(upload, chunk);
  }

  private static void stop(FeedLanes lanes) {
    try {
      lanes.end();
    } catch (InterruptedException e) {
      lanes.drop();
      Thread.currentThread().interrupt();
    }
  }

  private StoredFeedTask find(StoredFeedTask.Key task) {
    return database.read(tx -> tasks.find(tx, task)).orElseThrow(FeedService::noSuchTask);
  }
}
