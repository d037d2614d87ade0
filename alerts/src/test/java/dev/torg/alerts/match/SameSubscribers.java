package dev.torg.alerts.match;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.favorites.Audiences;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Every search has the same subscribers. No user follows a seller or saved an offer.
final class SameSubscribers implements Audiences {
  private final List<Member> subscribers;

  SameSubscribers(int count) {
    subscribers =
        IntStream.range(0, count)
            .mapToObj(n -> new Member("user:subscriber" + n, Instant.EPOCH, Delivery.INSTANT))
            .toList();
  }

  @Override
  public Map<String, List<Member>> subscribers(Collection<String> searchIds, int limitEach) {
    Map<String, List<Member>> audiences = new HashMap<>();
    searchIds.forEach(id -> audiences.put(id, subscribers.stream().limit(limitEach).toList()));
    return audiences;
  }

  @Override
  public Map<String, List<Member>> followers(Collection<String> sellers, int limitEach) {
    return Map.of();
  }

  @Override
  public Set<OfferId> saved(Collection<OfferId> offers) {
    return Set.of();
  }

  @Override
  public long saveCount(OfferId offer) {
    return 0;
  }

  @Override
  public long followerCount(String seller) {
    return 0;
  }

  @Override
  public long subscriberCount(String searchId) {
    return subscribers.size();
  }

  @Override
  public List<Member> savers(OfferId offer, String afterOwner, int limit) {
    return List.of();
  }

  @Override
  public List<Member> followers(String seller, String afterOwner, int limit) {
    return List.of();
  }

  @Override
  public List<Member> subscribers(String searchId, String afterOwner, int limit) {
    throw new UnsupportedOperationException("the matcher reads audiences together");
  }

  @Override
  public List<LiveSearch> searches(Home home, String afterSearchId, int limit) {
    throw new UnsupportedOperationException("the engine is filled by the test");
  }
}
