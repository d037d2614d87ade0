package dev.torg.notifications;

import java.util.Set;

/// The result of a withdrawal: the number of entries deleted, and the recipients whose bells were checked.
/// Entries that were read in the meantime stay, so some of these recipients may have lost none.
public record WithdrawnNotifications(int entries, Set<String> recipients) {
  public WithdrawnNotifications {
    recipients = Set.copyOf(recipients);
  }

  /// Whether to call again: the withdrawal is complete when no recipient was found.
  public boolean mayBeMore() {
    return !recipients.isEmpty();
  }
}
