package dev.torg.notifications;

import java.util.List;
import java.util.Map;

/// What became of some notifications: the entries that are new, how many were there before, and the
/// readers that have moved to a login meanwhile (anonymous → login), for whom nothing was written.
public record Written(List<Entry> entries, int duplicates, Map<String, String> moved) {
  /// A new entry of a reader.
  public record Entry(String reader, String key, long id) {}

  public Written {
    entries = List.copyOf(entries);
    moved = Map.copyOf(moved);
  }
}
