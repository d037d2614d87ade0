package dev.torg.notifications.bell;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which entries of a bell are listed.
///
/// @param topics only these; empty: all
/// @param read only those with this read state
public record BellFilter(List<String> topics, boolean unreadOnly, Optional<Boolean> read) {
  /// All entries.
  public static final BellFilter ALL = new BellFilter(List.of(), false, Optional.empty());

  public BellFilter {
    topics = topics.stream().distinct().toList();
  }

  /// The read states that are listed. None if the two filters contradict each other.
  List<Boolean> readStates() {
    return Stream.of(false, true)
        .filter(state -> !(unreadOnly && state) && read.map(state::equals).orElse(true))
        .toList();
  }
}
