package dev.torg.offers.feed;

import dev.torg.offers.store.PhotoFailureListener;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Counts the failed photos of each task.
public final class FeedPhotoFailureCounter implements PhotoFailureListener {
  private final FeedTaskStore tasks = new FeedTaskStore();

  @Override
  public void count(Tx tx, List<Failed> failed) throws SQLException {
    Map<StoredFeedTask.Key, Integer> counts = new HashMap<>();
    failed.forEach(
        photo ->
            counts.merge(
                new StoredFeedTask.Key(photo.seller(), photo.feedTask()), 1, Integer::sum));
    tasks.addFailedPhotos(
        tx,
        counts.entrySet().stream()
            .map(task -> new FeedTaskStore.FailedPhotos(task.getKey(), task.getValue()))
            .toList());
  }
}
