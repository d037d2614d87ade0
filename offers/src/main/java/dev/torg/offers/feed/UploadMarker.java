package dev.torg.offers.feed;

import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.platform.db.Database;
import org.jspecify.annotations.Nullable;

/// Records in the task that an upload has begun, until it is read to its end. Meanwhile nothing may be
/// removed; after an interruption, not until the upload is repeated.
final class UploadMarker {
  private final Database database;
  private final FeedTaskStore tasks;
  private final StoredFeedTask.Key task;
  private @Nullable String first;

  UploadMarker(Database database, FeedTaskStore tasks, StoredFeedTask.Key task) {
    this.database = database;
    this.tasks = tasks;
    this.task = task;
  }

  /// Only the first call has an effect.
  void open(FeedEntry entry) {
    if (first == null) {
      String id = entry.entryId();
      first = id;
      database.transact(tx -> tasks.markOpen(tx, task, id));
    }
  }

  void complete() {
    String id = first;
    if (id != null) {
      database.transact(tx -> tasks.read(tx, task, id));
    }
  }
}
