package dev.torg.alerts.match;

import dev.torg.alerts.alert.News;
import java.util.Set;

/// News and who may care: the subscribers of these searches and, if so, the seller's followers.
record Interest(News news, Set<String> searches, boolean followers) {
  Interest {
    searches = Set.copyOf(searches);
  }

  boolean isNobody() {
    return searches.isEmpty() && !followers;
  }
}
