/// Moderation: opinions of moderators and reports of users.
///
/// An opinion, submitted by a moderator or consumed from `torg.moderation`, is decided under the lock of
/// the offer's main row like any other command and updates the offer's moderation part. All opinions are
/// stored. Pending, reported and re-edited offers wait in a queue, from which moderators claim them for a
/// limited time.
@NullMarked
package dev.torg.offers.moderation;

import org.jspecify.annotations.NullMarked;
