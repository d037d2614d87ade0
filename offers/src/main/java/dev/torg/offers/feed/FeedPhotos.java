package dev.torg.offers.feed;

import dev.torg.offers.photo.FailedPhotos;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Counts photos that feeds asked for and that failed, each in its task.
public final class FeedPhotos implements FailedPhotos {
  private final TaskStore tasks = new TaskStore();

  @Override
  public void count(Tx tx, List<Failed> failed) throws SQLException {
    Map<Task.Key, Integer> counts = new HashMap<>();
    failed.forEach(
        photo -> counts.merge(new Task.Key(photo.seller(), photo.feedTask()), 1, Integer::sum));
    tasks.addFailedPhotos(
        tx,
        counts.entrySet().stream()
            .map(task -> new TaskStore.FailedPhotos(task.getKey(), task.getValue()))
            .toList());
  }
}
