package dev.torg.offers.feed;

import dev.torg.api.v1.FeedTask.Status;
import dev.torg.offers.feed.FeedItemStore.RemovalStats;
import dev.torg.platform.Failure;
import java.util.Optional;

/// Decides whether a task may remove the offers that it did not name. Pure.
///
/// @param removalPercent a task that would remove a larger share of the existing offers is stopped
record RemovalGuard(int removalPercent) {
  /// Fewer offers may always be removed.
  private static final int MIN_GUARDED_OFFERS = 20;

  /// Why the removal must not begin; empty if it may. A task whose last upload failed is a CONFLICT.
  ///
  /// @param unread the first item of an upload that was not read to its end
  Optional<String> check(StoredFeedTask task, Optional<String> unread, RemovalStats removalStats) {
    if (task.status() == Status.FAILED) {
      throw Failure.conflict(
          "feed.failed", "the last upload of this task failed; upload it again or use force");
    }
    if (task.readFailure() != StoredFeedTask.ReadFailure.NONE) {
      return Optional.of(
          "stopped: a part of this feed could not be read to its end; %d offers would be removed. "
                  .formatted(removalStats.older())
              + "Upload all parts again under a higher number, or finish with force");
    }
    return unread
        .map(first -> uploadInterrupted(first, removalStats))
        .or(() -> checkShare(removalStats, task.counts().created()));
  }

  /// As [#check], by the number of offers alone.
  ///
  /// @param created offers created by the task, which did not exist before
  Optional<String> checkShare(RemovalStats removalStats, int created) {
    if (removalStats.named() == 0) {
      return Optional.of(
          "stopped: the feed has no items that are valid; "
              + removalStats.older()
              + " offers would be removed. Finish with force to remove them");
    }
    long before = Math.max(1, removalStats.all() - created);
    if (removalStats.older() >= MIN_GUARDED_OFFERS
        && removalStats.older() * 100 > before * removalPercent) {
      return Optional.of(
          "stopped: %d of %d offers would be removed, more than %d %%. Finish with force to remove them"
              .formatted(removalStats.older(), before, removalPercent));
    }
    return Optional.empty();
  }

  private static String uploadInterrupted(String first, RemovalStats removalStats) {
    return "stopped: an upload that begins with item '%s' is in progress or was interrupted; "
            .formatted(first)
        + "%d offers would be removed. ".formatted(removalStats.older())
        + "Upload it again under the same number, or finish with force";
  }
}
