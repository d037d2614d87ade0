package dev.torg.favorites;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.projection.AudienceStore;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Who might want to hear of an offer. Built from the topic, so it may lag behind; whether somebody
/// still wants to hear is asked of [AlertRules]. Pages are in the order of the owners' names, the
/// next one begins after the last owner of this one, the first one after "". Blocks.
public final class Audiences {
  /// What a page should have: enough to make the round trip small, little enough to resume cheaply.
  public static final int PAGE_SIZE = 1000;

  /// Somebody who saved the offer, follows the seller or subscribes to the search, since when, and how
  /// they want to hear (savers: always INSTANT).
  public record Member(String owner, Instant createdAt, Delivery delivery) {}

  /// A search that somebody subscribes to. `seq` is that of its last event.
  public record LiveSearch(String searchId, SearchQuery query, long seq) {}

  private final Database database;
  private final boolean distributed;
  private final AudienceStore store = new AudienceStore();

  public Audiences(Database database) {
    this.database = database;
    this.distributed = database.isDistributed();
  }

  public List<Member> savers(OfferId offer, String afterOwner, int atMost) {
    return database.read(tx -> store.savers(tx, offer, afterOwner, atMost));
  }

  public List<Member> followers(String seller, String afterOwner, int atMost) {
    return database.read(tx -> store.followers(tx, seller, afterOwner, atMost));
  }

  public List<Member> subscribers(String searchId, String afterOwner, int atMost) {
    return database.read(tx -> store.subscribers(tx, searchId, afterOwner, atMost));
  }

  /// The first subscribers of each of these searches, at most so many each.
  public Map<String, List<Member>> subscribers(Collection<String> searchIds, int atMostEach) {
    return firsts(searchIds, (tx, ids) -> store.firstSubscribers(tx, ids, atMostEach));
  }

  /// The first followers of each of these sellers, at most so many each.
  public Map<String, List<Member>> followers(Collection<String> sellers, int atMostEach) {
    return firsts(sellers, (tx, ids) -> store.firstFollowers(tx, ids, atMostEach));
  }

  /// How many follow the seller.
  public long followerCount(String seller) {
    return database.read(tx -> store.followerCount(tx, seller));
  }

  /// How many subscribe to the search.
  public long subscriberCount(String searchId) {
    return database.read(tx -> store.subscriberCount(tx, searchId));
  }

  private Map<String, List<Member>> firsts(
      Collection<String> ids, AudienceQuery<String, Map<String, List<Member>>> firsts) {
    Map<String, List<Member>> found = new HashMap<>();
    query(ids, Home::of, firsts).forEach(found::putAll);
    return found;
  }

  /// Asks about many at once, or home by home where tables are distributed.
  private <K, A> List<A> query(
      Collection<K> keys, Function<K, Home> home, AudienceQuery<K, A> question) {
    Collection<List<K>> groups =
        distributed
            ? keys.stream().collect(Collectors.groupingBy(home)).values()
            : List.of(List.copyOf(keys));
    return groups.stream()
        .filter(group -> !group.isEmpty())
        .map(group -> database.read(tx -> question.fetch(tx, group)))
        .toList();
  }

  private interface AudienceQuery<K, A> {
    A fetch(Tx tx, List<K> keys) throws SQLException;
  }

  /// The distinct searches of a home, to build an engine from.
  public List<LiveSearch> searches(Home home, String afterSearchId, int atMost) {
    return database.read(tx -> store.searches(tx, home, afterSearchId, atMost));
  }

  /// Those of the offers that anybody has saved.
  public Set<OfferId> saved(Collection<OfferId> offers) {
    Set<OfferId> saved = new HashSet<>();
    query(offers, OfferId::home, store::saved).forEach(saved::addAll);
    return saved;
  }

  /// How many people have saved the offer; exact once the topic is drained.
  public long saveCount(OfferId offer) {
    return database.read(tx -> store.saveCount(tx, offer));
  }
}
