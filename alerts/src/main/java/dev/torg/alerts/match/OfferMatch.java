package dev.torg.alerts.match;

import dev.torg.alerts.event.AlertContent;
import dev.torg.matching.SearchId;
import java.util.List;

/// An offer and its audiences: the subscribers of these searches, each named once, and optionally the
/// seller's followers.
record OfferMatch(AlertContent content, List<SearchId> searches, boolean followers) {
  OfferMatch {
    searches = List.copyOf(searches);
  }

  boolean isEmpty() {
    return searches.isEmpty() && !followers;
  }
}
