package dev.torg.favorites;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.project.AudienceStore;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.time.Instant;
import java.util.List;

/// Who might want to hear of an offer. Built from the topic, so it may lag behind; whether somebody
/// still wants to hear is asked of [FavoriteRules]. Pages are in the order of the owners' names, the
/// next one begins after the last owner of this one, the first one after "". Blocks.
public final class Audiences {
  /// What a page should have: enough to make the round trip small, little enough to resume cheaply.
  public static final int PAGE = 1000;

  /// Somebody who saved the offer, follows the seller or subscribes to the search, since when, and how
  /// they want to hear (savers: always INSTANT).
  public record Member(String owner, Instant createdAt, Delivery delivery) {}

  /// A search that somebody subscribes to. `seq` is that of its last event.
  public record LiveSearch(String searchId, SearchQuery query, long seq) {}

  private final Database database;
  private final AudienceStore store = new AudienceStore();

  public Audiences(Database database) {
    this.database = database;
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

  /// The distinct searches of a home, to build an engine from.
  public List<LiveSearch> searches(Home home, String afterSearchId, int atMost) {
    return database.read(tx -> store.searches(tx, home, afterSearchId, atMost));
  }

  /// How many people have saved the offer; exact once the topic is drained.
  public long saveCount(OfferId offer) {
    return database.read(tx -> store.saveCount(tx, offer));
  }
}
