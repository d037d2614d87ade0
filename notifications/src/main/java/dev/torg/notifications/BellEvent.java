package dev.torg.notifications;

import dev.torg.api.v1.Notification;
import dev.torg.api.v1.UnreadCount;

/// What an open stream tells. The id of the last event is what a client sends back as `Last-Event-ID`
/// to hear all that came after. Counts have one too: who connected and heard of no entry resumes there.
public sealed interface BellEvent {
  /// An entry that is new or has grown: event `notification`.
  record Entry(String id, Notification notification) implements BellEvent {}

  /// The counts after a change: event `unread`.
  record Unread(String id, UnreadCount count) implements BellEvent {}
}
