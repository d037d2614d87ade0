package dev.torg.favorites;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.SearchQuery;
import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which subscriptions of recipients still exist, read in the transaction that delivers the alerts.
///
/// [#lockForShare] locks the owners' rows: until the transaction ends, no concurrent transaction saves,
/// removes or changes favorites of these recipients or merges them into a login. It is the first lock of
/// the transaction (docs/data-model.md#lock-order). All recipients of a call are of one shard
/// ([dev.torg.platform.db.ShardMap]).
public interface AlertRules {
  /// All values of delivery.
  Set<Delivery> ANY_DELIVERY =
      Set.of(Delivery.DELIVERY_UNSPECIFIED, Delivery.INSTANT, Delivery.DAILY, Delivery.OFF);

  /// A price that a recipient is notified of.
  record PriceUpdate(String recipient, String offerId, long hash, long version) {
    public Home home() {
      return Home.of(recipient);
    }
  }

  /// A saved search with its query.
  record OwnSearch(AlertRule rule, SearchQuery query) {
    public SearchCursor cursor() {
      return new SearchCursor(rule.createdAt(), rule.key().id());
    }
  }

  /// A position in an owner's searches, latest first: the next page begins with the first search that was
  /// saved earlier, or at the same time with a lower id.
  record SearchCursor(Instant createdAt, String id) {
    /// Before the first page.
    public static final SearchCursor START = savedBefore(Instant.parse("9999-01-01T00:00:00Z"));

    /// Skips the searches saved at the given time or later.
    public static SearchCursor savedBefore(Instant time) {
      return new SearchCursor(time, "");
    }
  }

  /// Locks the owners of these rules and returns the rules that exist, OFF or not.
  LockedAlertRules lockForShare(Tx tx, Collection<AlertRuleKey> keys) throws SQLException;

  /// Records the prices that recipients are notified of, and returns those that are new: the offer is still
  /// saved, its version is newer and its price differs. After [#lockForShare] of the same recipients.
  List<PriceUpdate> updateKnownPrices(Tx tx, List<PriceUpdate> prices) throws SQLException;

  /// Counts one match for each occurrence of a search.
  void countMatches(Tx tx, Collection<AlertRuleKey> searches, Instant at) throws SQLException;

  /// Adds matches to the counts of searches.
  void countMatches(Tx tx, Map<AlertRuleKey, Integer> searches, Instant at) throws SQLException;

  /// A page of an owner's searches with one of these deliveries, latest first.
  List<OwnSearch> searches(
      Tx tx, String owner, Set<Delivery> deliveries, SearchCursor after, int limit)
      throws SQLException;

  /// A page of the searches of each of these owners with this delivery: by owner, latest first. One query
  /// for all owners.
  ///
  /// @param after where the page of each owner begins
  /// @param limit searches of one owner
  List<OwnSearch> searches(Tx tx, Map<String, SearchCursor> after, Delivery delivery, int limit)
      throws SQLException;

  /// The rules that exist, without locking them.
  Map<AlertRuleKey, AlertRule> rules(Tx tx, Collection<AlertRuleKey> keys) throws SQLException;
}
