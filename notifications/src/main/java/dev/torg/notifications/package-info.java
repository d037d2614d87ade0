/// The notification center, first part: the bell.
///
/// Other rooms speak through [Bell][dev.torg.notifications.Bell], inside their own transaction in the
/// reader's home: what they did and what the reader hears of it commit together. A reader has one
/// row in the table `bell`; whoever changes the reader's notifications locks it first and raises its
/// `seq`. From that follow exact unread counts, ids that grow in the order of commits, and a stream
/// ([BellStreamService][dev.torg.notifications.BellStreamService]) that misses nothing: what has a higher `seq` than
/// the last event seen has not been seen.
///
/// At login everything moves ([BellMerge][dev.torg.notifications.BellMerge]).
@NullMarked
package dev.torg.notifications;

import org.jspecify.annotations.NullMarked;
