package dev.torg.promotions.intent;

import java.util.List;
import java.util.regex.Pattern;

/// An intent as it was requested.
///
/// @param services empty if the seller wants none any more
/// @param at when it was requested, in microseconds: of two arrivals the later one counts, and one that was applied before
///     changes nothing
public record IntentArrival(IntentKey key, List<String> services, long at) {
  private static final Pattern SERVICE = Pattern.compile("[a-z][a-z0-9-]{0,39}");

  public IntentArrival {
    services = List.copyOf(services);
    if (!services.stream().allMatch(name -> SERVICE.matcher(name).matches())) {
      throw new IllegalArgumentException("not names of services: " + services);
    }
  }
}
