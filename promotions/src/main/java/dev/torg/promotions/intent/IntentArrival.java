package dev.torg.promotions.intent;

import java.util.List;

/// An intent as it was requested.
///
/// @param at when it was requested, in microseconds: of two arrivals the later one counts, and one that was applied before
///     changes nothing
public record IntentArrival(IntentKey key, List<String> services, long at) {
  public IntentArrival {
    services = List.copyOf(services);
  }
}
