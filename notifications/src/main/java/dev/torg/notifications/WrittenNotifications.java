package dev.torg.notifications;

import java.util.List;
import java.util.Map;

/// The result of a write: the entries that were created, the number of new entries whose keys existed, and
/// the recipients whose identities were merged into a login (anonymous → login), for whom nothing was
/// written.
public record WrittenNotifications(
    List<Entry> entries, int duplicates, Map<String, String> mergedInto) {
  /// An entry that was created.
  public record Entry(String recipient, String key, long id) {}

  public WrittenNotifications {
    entries = List.copyOf(entries);
    mergedInto = Map.copyOf(mergedInto);
  }
}
