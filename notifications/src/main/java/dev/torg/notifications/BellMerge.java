package dev.torg.notifications;

import dev.torg.platform.OfferId;
import java.util.Collection;
import java.util.Set;

/// Moves the notifications, unread counts and notification settings of an anonymous identity to a login.
public interface BellMerge {
  /// Finds the banned offers among others: their notifications are withdrawn.
  @FunctionalInterface
  interface BannedOffers {
    Set<OfferId> among(Collection<OfferId> offers);
  }

  /// Moves at most `maxEntries` entries and returns whether there may be more. It may be repeated after a
  /// crash and run by several processes at once. Blocks.
  boolean page(String anonymous, String login, int maxEntries, BannedOffers banned);
}
