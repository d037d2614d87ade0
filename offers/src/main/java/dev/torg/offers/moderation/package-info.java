/// What moderators and readers think of offers.
///
/// An opinion, given by a moderator or read from `torg.moderation`, is decided under the lock of the
/// offer's main row like any other command and becomes the offer's moderation part. Every opinion
/// is kept. Readers report; pending, reported and re-edited offers wait in a queue from which
/// moderators claim them for a while.
@NullMarked
package dev.torg.offers.moderation;

import org.jspecify.annotations.NullMarked;
