package dev.torg.notifications;

import java.util.Set;

/// How many entries were taken back, and whose bells were looked into: entries that were read in the
/// meantime stay, so there may be readers without any, and others still to come.
public record WithdrawnNotifications(int entries, Set<String> recipients) {
  public WithdrawnNotifications {
    recipients = Set.copyOf(recipients);
  }

  /// Whether to call again: only where nobody is left is it done.
  public boolean mayBeMore() {
    return !recipients.isEmpty();
  }
}
