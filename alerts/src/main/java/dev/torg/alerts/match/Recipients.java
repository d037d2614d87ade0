package dev.torg.alerts.match;

import dev.torg.alerts.event.AlertReason;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.Audiences.Member;
import dev.torg.matching.SearchId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The first members of some audiences; one more of each than the limit of a large audience.
record Recipients(Map<AlertReason, List<Member>> members, int largeAudience) {
  /// Audiences per read: each may have a thousand members.
  static final int MAX_AUDIENCES_PER_READ = 250;

  static Recipients of(
      Audiences audiences, Set<SearchId> searches, Set<String> sellers, int largeAudience) {
    Map<AlertReason, List<Member>> members = new HashMap<>();
    audiences
        .subscribers(searches.stream().map(SearchId::hex).toList(), largeAudience + 1)
        .forEach((id, audience) -> members.put(AlertReason.search(id), audience));
    audiences
        .followers(sellers, largeAudience + 1)
        .forEach((id, audience) -> members.put(AlertReason.seller(id), audience));
    return new Recipients(members, largeAudience);
  }

  boolean isLarge(AlertReason reason) {
    return of(reason).size() > largeAudience;
  }

  List<Member> of(AlertReason reason) {
    return members.getOrDefault(reason, List.of());
  }
}
