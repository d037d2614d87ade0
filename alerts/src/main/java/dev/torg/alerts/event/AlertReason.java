package dev.torg.alerts.event;

import dev.torg.favorites.AlertRuleKey;
import dev.torg.favorites.FavoriteKind;
import dev.torg.notifications.NotificationTopics;

/// Why a recipient may be notified: their search, a seller they follow, an offer they saved.
public record AlertReason(Kind kind, String id) {
  /// The kind of favorite behind the reason, and the topic of its notifications.
  public enum Kind {
    SEARCH(FavoriteKind.SEARCH, NotificationTopics.SEARCHES),
    SELLER(FavoriteKind.SELLER, NotificationTopics.SELLERS),
    PRICE(FavoriteKind.OFFER, NotificationTopics.PRICES);

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

  public static AlertReason search(String id) {
    return new AlertReason(Kind.SEARCH, id);
  }

  public static AlertReason seller(String id) {
    return new AlertReason(Kind.SELLER, id);
  }

  public static AlertReason price(String offerId) {
    return new AlertReason(Kind.PRICE, offerId);
  }

  public AlertRuleKey key(String recipient) {
    return new AlertRuleKey(recipient, kind.favorite(), id);
  }

  /// The key by which storms are counted.
  public String source() {
    return kind + ":" + id;
  }
}
