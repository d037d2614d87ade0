/// The bell: entries, unread counts and their SQL.
///
/// [StoredBell][dev.torg.notifications.bell.StoredBell] writes and withdraws entries for other modules,
/// [BellService][dev.torg.notifications.bell.BellService] lists them and marks them as read for their owner.
/// Both lock the recipient's row in `bell` first, so counts are exact and ids ascend in commit order. So do the jobs that
/// remove expired entries ([RemoveExpiredEntriesJob][dev.torg.notifications.bell.RemoveExpiredEntriesJob]) and old ones
/// ([PurgeOldEntriesJob][dev.torg.notifications.bell.PurgeOldEntriesJob]).
@NullMarked
package dev.torg.notifications.bell;

import org.jspecify.annotations.NullMarked;
