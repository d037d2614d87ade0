package dev.torg.offers.feed;

import dev.torg.offers.feed.read.Entry;
import dev.torg.platform.db.Database;
import org.jspecify.annotations.Nullable;

/// Keeps in the task that an upload has begun until it is read to its end: nothing may be removed
/// meanwhile, and nothing when it was cut off and did not come again.
final class OpenUpload {
  private final Database database;
  private final TaskStore tasks;
  private final Task.Key task;
  private @Nullable String first;

  OpenUpload(Database database, TaskStore tasks, Task.Key task) {
    this.database = database;
    this.tasks = tasks;
    this.task = task;
  }

  /// Only the first counts.
  void by(Entry entry) {
    if (first == null) {
      String id = entry.keptId();
      first = id;
      database.inTransaction(
          tx -> {
            tasks.opened(tx, task, id);
            return true;
          });
    }
  }

  void read() {
    String id = first;
    if (id != null) {
      database.inTransaction(
          tx -> {
            tasks.read(tx, task, id);
            return true;
          });
    }
  }
}
