package dev.torg.offers.feed;

import dev.torg.api.v1.FeedTask;
import dev.torg.platform.Home;
import java.time.Instant;

/// A task of a seller's feed.
///
/// @param removing all items have come, and what they did not name is being removed
public record Task(
    Key key,
    FeedTask.Status status,
    boolean removing,
    Counts counts,
    int photosFailed,
    String message,
    Instant startedAt,
    Instant updatedAt) {

  /// Tasks live with their seller.
  public record Key(String seller, long taskId) {
    public Home home() {
      return Home.of(seller);
    }
  }

  public long taskId() {
    return key.taskId();
  }
}
