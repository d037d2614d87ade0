package dev.torg.offers.feed;

import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.feed.FeedItemStore.StoredItem;
import dev.torg.offers.feed.format.FeedEntry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The action for an item, derived from its stored state. Pure.
enum FeedItemAction {
  /// Create a new offer.
  CREATE,
  /// Edit or reactivate the offer, or retry its photos.
  UPDATE,
  /// As UPDATE, but the item repeats an earlier one of this task.
  UPDATE_REPEATED,
  /// Restore the removed offer.
  REVIVE,
  /// Only update the mark.
  UNCHANGED,
  /// The same item again in this upload.
  REPEATED,
  /// An earlier upload of this task has applied the item.
  ALREADY_APPLIED,
  /// A later task has named the item, or the item is too old for this task.
  IGNORE;

  /// How long a removed offer can be restored. Bodies are normally archived later.
  static final Duration RESTORE_WINDOW = Duration.ofDays(30);

  /// @param archiveAfter how long after its removal an offer is due for archiving
  /// @param prolongWindow offers that expire within this time are prolonged
  record Rules(Duration archiveAfter, Duration prolongWindow, Instant now) {}

  static FeedItemAction of(
      FeedEntry.Item item, @Nullable StoredItem storedItem, UploadId upload, Rules rules) {
    long task = upload.task().taskId();
    if (storedItem == null) {
      return CREATE;
    }
    if (storedItem.task() > task) {
      return IGNORE;
    }
    if (isRemoved(storedItem)) {
      return storedItem.task() == task ? IGNORE : mayRestore(storedItem, rules) ? REVIVE : CREATE;
    }
    boolean sameTask = storedItem.task() == task;
    if (storedItem.hash() != item.hash() || isToProlong(storedItem, rules)) {
      return sameTask ? UPDATE_REPEATED : UPDATE;
    }
    if (!sameTask && arePhotosDue(storedItem, rules)) {
      return UPDATE;
    }
    return !sameTask
        ? UNCHANGED
        : storedItem.upload() == upload.number() ? REPEATED : ALREADY_APPLIED;
  }

  /// A sold offer stays when a feed omits it, so it is still the item's offer when a later feed names it.
  static boolean isRemoved(StoredItem storedItem) {
    return (storedItem.removedAt() != null && storedItem.status() != Status.SOLD_VALUE)
        || storedItem.status() == 0
        || storedItem.status() == Status.REMOVED_VALUE;
  }

  /// If the owner removed the offer, the removal time is derived from the time at which it is due for
  /// archiving.
  private static boolean mayRestore(StoredItem storedItem, Rules rules) {
    Instant removed = storedItem.removedAt();
    if (removed == null && storedItem.dueAt() != null) {
      removed = storedItem.dueAt().minus(rules.archiveAfter());
    }
    return storedItem.status() == Status.REMOVED_VALUE
        && removed != null
        && removed.plus(RESTORE_WINDOW).isAfter(rules.now());
  }

  /// Unreachable photos are retried.
  private static boolean arePhotosDue(StoredItem storedItem, Rules rules) {
    return storedItem.status() == Status.ACTIVE_VALUE
        && storedItem.photosDueAt() != null
        && !storedItem.photosDueAt().isAfter(rules.now());
  }

  /// An offer that is still in the feed must not expire.
  private static boolean isToProlong(StoredItem storedItem, Rules rules) {
    return storedItem.status() == Status.EXPIRED_VALUE
        || (storedItem.status() == Status.ACTIVE_VALUE
            && storedItem.dueAt() != null
            && storedItem.dueAt().isBefore(rules.now().plus(rules.prolongWindow())));
  }
}
