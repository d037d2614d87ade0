package dev.torg.offers.feed;

import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.feed.FeedItemStore.StoredItem;
import dev.torg.offers.feed.format.FeedEntry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What is to be done about an item, from what is known of it. Pure.
enum FeedItemAction {
  /// A new offer.
  CREATE,
  /// Its offer is edited or put on sale again, or photos of it are tried again.
  UPDATE,
  /// The same again, but it counts as an earlier item of this task.
  UPDATE_REPEATED,
  /// Restores its removed offer.
  REVIVE,
  /// Only its mark moves.
  UNCHANGED,
  /// The same again in this upload.
  REPEATED,
  /// An earlier upload of this task has applied it.
  ALREADY_APPLIED,
  /// A later task has named it, or the item is too old for this one.
  IGNORE;

  /// How long a removed offer can be restored. Bodies are normally archived later.
  static final Duration RESTORE_WINDOW = Duration.ofDays(30);

  /// @param archiveAfter the offer's archiving is due so long after its removal
  /// @param prolongWindow what ends within this time is prolonged
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
    if (isGone(storedItem)) {
      return storedItem.task() == task ? IGNORE : mayRevive(storedItem, rules) ? REVIVE : CREATE;
    }
    boolean again = storedItem.task() == task;
    if (storedItem.hash() != item.hash() || isToProlong(storedItem, rules)) {
      return again ? UPDATE_REPEATED : UPDATE;
    }
    if (!again && arePhotosDue(storedItem, rules)) {
      return UPDATE;
    }
    return !again ? UNCHANGED : storedItem.upload() == upload.number() ? REPEATED : ALREADY_APPLIED;
  }

  /// A sold offer stays when a feed omits it, so it is still the item's when a later feed names it.
  static boolean isGone(StoredItem storedItem) {
    return (storedItem.removedAt() != null && storedItem.status() != Status.SOLD_VALUE)
        || storedItem.status() == 0
        || storedItem.status() == Status.REMOVED_VALUE;
  }

  /// The removal time of an offer that its owner removed by hand follows from the time at which it is
  /// due to be archived.
  private static boolean mayRevive(StoredItem storedItem, Rules rules) {
    Instant removed = storedItem.removedAt();
    if (removed == null && storedItem.dueAt() != null) {
      removed = storedItem.dueAt().minus(rules.archiveAfter());
    }
    return storedItem.status() == Status.REMOVED_VALUE
        && removed != null
        && removed.plus(RESTORE_WINDOW).isAfter(rules.now());
  }

  /// Photos that could not be reached are tried again.
  private static boolean arePhotosDue(StoredItem storedItem, Rules rules) {
    return storedItem.status() == Status.ACTIVE_VALUE
        && storedItem.photosDueAt() != null
        && !storedItem.photosDueAt().isAfter(rules.now());
  }

  /// What is still in the feed does not end.
  private static boolean isToProlong(StoredItem storedItem, Rules rules) {
    return storedItem.status() == Status.EXPIRED_VALUE
        || (storedItem.status() == Status.ACTIVE_VALUE
            && storedItem.dueAt() != null
            && storedItem.dueAt().isBefore(rules.now().plus(rules.prolongWindow())));
  }
}
