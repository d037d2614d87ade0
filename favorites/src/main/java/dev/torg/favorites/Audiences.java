package dev.torg.favorites;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.SearchQuery;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The users who may have to be notified of an offer. Projected from a topic, so it may lag behind; [AlertRules]
/// decides which subscriptions still exist. Pages are sorted by owner; a page begins after the last owner
/// of the previous one, the first after "". All methods block.
public interface Audiences {
  /// Members per page: enough to amortize the round trip, few enough to resume cheaply.
  int PAGE_SIZE = 1000;

  /// An owner who saved the offer, follows the seller or subscribes to the search; since when; and the
  /// delivery they chose (of savers always INSTANT).
  record Member(String owner, Instant createdAt, Delivery delivery) {}

  /// A search with at least one subscriber. `seq` is that of its last event.
  record LiveSearch(String searchId, SearchQuery query, long seq) {}

  List<Member> savers(OfferId offer, String afterOwner, int limit);

  List<Member> followers(String seller, String afterOwner, int limit);

  List<Member> subscribers(String searchId, String afterOwner, int limit);

  /// The first subscribers of each of these searches.
  Map<String, List<Member>> subscribers(Collection<String> searchIds, int limitEach);

  /// The first followers of each of these sellers.
  Map<String, List<Member>> followers(Collection<String> sellers, int limitEach);

  long followerCount(String seller);

  long subscriberCount(String searchId);

  /// The distinct searches of a home, to build an engine from.
  List<LiveSearch> searches(Home home, String afterSearchId, int limit);

  /// The offers that at least one user has saved.
  Set<OfferId> saved(Collection<OfferId> offers);

  /// How many users have saved the offer; exact once the topic is drained.
  long saveCount(OfferId offer);
}
