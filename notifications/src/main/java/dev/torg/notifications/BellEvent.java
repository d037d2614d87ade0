package dev.torg.notifications;

import dev.torg.api.v1.Notification;
import dev.torg.api.v1.UnreadCount;

/// What an open stream tells. The id of an entry's event is what a client sends back as
/// `Last-Event-ID` to hear all that came after.
public sealed interface BellEvent {
  /// An entry that is new or has grown: event `notification`.
  record Entry(String id, Notification notification) implements BellEvent {}

  /// The counts after a change: event `unread`.
  record Unread(UnreadCount count) implements BellEvent {}
}
