package dev.torg.alerts.match;

import dev.torg.alerts.alert.News;
import dev.torg.matching.SearchId;
import java.util.List;

/// News and who may care: the subscribers of these searches, each named once, and, if so, the seller's
/// followers.
record Interest(News news, List<SearchId> searches, boolean followers) {
  Interest {
    searches = List.copyOf(searches);
  }

  boolean isNobody() {
    return searches.isEmpty() && !followers;
  }
}
