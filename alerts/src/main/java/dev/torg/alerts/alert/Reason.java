package dev.torg.alerts.alert;

import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.RuleKey;
import dev.torg.notifications.Topics;

/// Why somebody may want to hear: their search, a seller they follow, an offer they saved.
public record Reason(Kind kind, String id) {
  /// What a reason is in favorites, and the topic its notifications belong to.
  public enum Kind {
    SEARCH(FavoriteKind.SEARCH, Topics.SEARCHES),
    SELLER(FavoriteKind.SELLER, Topics.SELLERS),
    PRICE(FavoriteKind.OFFER, Topics.PRICES);

    private final FavoriteKind favorite;
    private final String topic;

    Kind(FavoriteKind favorite, String topic) {
      this.favorite = favorite;
      this.topic = topic;
    }

    public FavoriteKind favorite() {
      return favorite;
    }

    public String topic() {
      return topic;
    }
  }

  public static Reason search(String id) {
    return new Reason(Kind.SEARCH, id);
  }

  public static Reason seller(String id) {
    return new Reason(Kind.SELLER, id);
  }

  public static Reason price(String offerId) {
    return new Reason(Kind.PRICE, offerId);
  }

  public RuleKey key(String reader) {
    return new RuleKey(reader, kind.favorite(), id);
  }

  /// What a storm is counted by.
  public String source() {
    return kind + ":" + id;
  }
}
