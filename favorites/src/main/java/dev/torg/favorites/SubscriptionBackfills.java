package dev.torg.favorites;

import dev.torg.api.v1.SearchQuery;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// New subscriptions that wait for a scan of recent offers. A request is committed with its projection and
/// stays until [#remove], so the scan runs at least once after any crash. All methods block.
public interface SubscriptionBackfills {
  /// Requests whose scan begins in this range of time (the end excluded), earliest first.
  List<SubscriptionBackfill> waiting(Instant from, Instant before, int limit);

  boolean isAnyWaiting(Instant from, Instant before);

  long count();

  /// The queries of these searches. Unknown and unreadable ones are omitted.
  Map<String, SearchQuery> queries(Collection<String> searchIds);

  /// Records that everything before the given time has been scanned for these requests.
  void advance(Collection<SubscriptionBackfill> rows, Instant to);

  /// Removes requests whose scan is complete, unless they have changed since they were read.
  void remove(Collection<SubscriptionBackfill> rows);
}
