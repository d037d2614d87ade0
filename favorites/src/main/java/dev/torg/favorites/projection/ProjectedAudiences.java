package dev.torg.favorites.projection;

import dev.torg.favorites.Audiences;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Reads audiences from the projections.
public final class ProjectedAudiences implements Audiences {
  private final Database database;
  private final AudienceStore store = new AudienceStore();

  public ProjectedAudiences(Database database) {
    this.database = database;
  }

  @Override
  public List<Member> savers(OfferId offer, String afterOwner, int limit) {
    return database.read(tx -> store.savers(tx, offer, afterOwner, limit));
  }

  @Override
  public List<Member> followers(String seller, String afterOwner, int limit) {
    return database.read(tx -> store.followers(tx, seller, afterOwner, limit));
  }

  @Override
  public List<Member> subscribers(String searchId, String afterOwner, int limit) {
    return database.read(tx -> store.subscribers(tx, searchId, afterOwner, limit));
  }

  @Override
  public Map<String, List<Member>> subscribers(Collection<String> searchIds, int limitEach) {
    return firsts(searchIds, (tx, ids) -> store.firstSubscribers(tx, ids, limitEach));
  }

  @Override
  public Map<String, List<Member>> followers(Collection<String> sellers, int limitEach) {
    return firsts(sellers, (tx, ids) -> store.firstFollowers(tx, ids, limitEach));
  }

  @Override
  public long followerCount(String seller) {
    return database.read(tx -> store.followerCount(tx, seller));
  }

  @Override
  public long subscriberCount(String searchId) {
    return database.read(tx -> store.subscriberCount(tx, searchId));
  }

  private Map<String, List<Member>> firsts(
      Collection<String> ids, AudienceQuery<String, Map<String, List<Member>>> firsts) {
    Map<String, List<Member>> members = new HashMap<>();
    query(ids, Home::of, firsts).forEach(members::putAll);
    return members;
  }

  /// One statement per shard.
  private <K, A> List<A> query(
      Collection<K> keys, Function<K, Home> home, AudienceQuery<K, A> statement) {
    return EachShard.map(
        database.shards().split(keys, home),
        group -> database.read(tx -> statement.fetch(tx, group)));
  }

  private interface AudienceQuery<K, A> {
    A fetch(Tx tx, List<K> keys) throws SQLException;
  }

  @Override
  public List<LiveSearch> searches(Home home, String afterSearchId, int limit) {
    return database.read(tx -> store.searches(tx, home, afterSearchId, limit));
  }

  @Override
  public Set<OfferId> saved(Collection<OfferId> offers) {
    Set<OfferId> saved = new HashSet<>();
    query(offers, OfferId::home, store::saved).forEach(saved::addAll);
    return saved;
  }

  @Override
  public long saveCount(OfferId offer) {
    return database.read(tx -> store.saveCount(tx, offer));
  }
}
