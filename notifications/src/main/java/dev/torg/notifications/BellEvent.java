package dev.torg.notifications;

import dev.torg.api.v1.Notification;
import dev.torg.api.v1.UnreadCount;

/// An event of an open stream. A client resumes by sending the id of the last event as `Last-Event-ID`.
/// Counts have an id too, so that a client that has received no entry yet can resume.
public sealed interface BellEvent {
  /// An entry that was created or enlarged: event `notification`.
  record Entry(String id, Notification notification) implements BellEvent {}

  /// The counts after a change: event `unread`.
  record Unread(String id, UnreadCount count) implements BellEvent {}
}
