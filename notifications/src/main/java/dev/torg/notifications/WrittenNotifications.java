package dev.torg.notifications;

import java.util.List;
import java.util.Map;

/// What became of some notifications: the entries that are new, how many were there before, and the
/// readers that have moved to a login meanwhile (anonymous → login), for whom nothing was written.
public record WrittenNotifications(List<Entry> entries, int duplicates, Map<String, String> moved) {
  /// A new entry of a reader.
  public record Entry(String recipient, String key, long id) {}

  public WrittenNotifications {
    entries = List.copyOf(entries);
    moved = Map.copyOf(moved);
  }
}
