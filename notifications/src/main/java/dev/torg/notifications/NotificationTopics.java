package dev.torg.notifications;

import java.util.List;
import java.util.Optional;

/// The topics of notifications in this installation.
public record NotificationTopics(List<Topic> all) {
  /// What notifications are about. An exempt topic cannot be muted.
  public record Topic(String id, String name, boolean exempt) {}

  public static final String SEARCHES = "searches";
  public static final String SELLERS = "sellers";
  public static final String PRICES = "prices";
  public static final String DIGEST = "digest";
  public static final String OFFERS = "offers";
  public static final String PROMOTIONS = "promotions";
  public static final String NEWS = "news";
  public static final String ACCOUNT = "account";

  public NotificationTopics {
    all = List.copyOf(all);
  }

  public static NotificationTopics defaults() {
    return new NotificationTopics(
        List.of(
            new Topic(SEARCHES, "New offers for saved searches", false),
            new Topic(SELLERS, "New offers of followed sellers", false),
            new Topic(PRICES, "Price changes of saved offers", false),
            new Topic(DIGEST, "Daily digest", false),
            new Topic(OFFERS, "Your own offers", false),
            new Topic(PROMOTIONS, "Paid services", false),
            new Topic(NEWS, "News", false),
            new Topic(ACCOUNT, "Account and security", true)));
  }

  public Optional<Topic> find(String id) {
    return all.stream().filter(topic -> topic.id().equals(id)).findFirst();
  }

  public boolean has(String id) {
    return find(id).isPresent();
  }
}
