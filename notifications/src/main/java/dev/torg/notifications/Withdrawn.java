package dev.torg.notifications;

import java.util.Set;

/// How many entries were taken back, and whose bells were looked into: entries that were read in the
/// meantime stay, so there may be readers without any, and others still to come.
public record Withdrawn(int entries, Set<String> readers) {
  public Withdrawn {
    readers = Set.copyOf(readers);
  }

  /// Whether to call again: only where nobody is left is it done.
  public boolean mayBeMore() {
    return !readers.isEmpty();
  }
}
