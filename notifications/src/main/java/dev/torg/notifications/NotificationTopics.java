package dev.torg.notifications;

import java.util.List;
import java.util.Optional;

/// The topics of notifications in this installation.
public record NotificationTopics(List<Topic> all) {
  private static final String RUSSIAN = "ru";

  /// What notifications are about.
  ///
  /// @param exempt whether mutes, limits and quiet hours do not apply: the topic concerns the person's account or money
  public record Topic(String id, String name, String russianName, boolean exempt) {
    /// The name in a language of notifications.
    public String name(String language) {
      return language.equals(RUSSIAN) ? russianName : name;
    }
  }

  public static final String SEARCHES = "searches";
  public static final String SELLERS = "sellers";
  public static final String PRICES = "prices";
  public static final String DIGEST = "digest";
  public static final String OFFERS = "offers";
  public static final String PROMOTIONS = "promotions";
  public static final String PAYMENTS = "payments";
  public static final String NEWS = "news";
  public static final String ACCOUNT = "account";

  public NotificationTopics {
    all = List.copyOf(all);
  }

  public static NotificationTopics defaults() {
    return new NotificationTopics(
        List.of(
            topic(SEARCHES, "New offers for saved searches", "Новое по сохранённым поискам"),
            topic(SELLERS, "New offers of followed sellers", "Новое от продавцов в подписках"),
            topic(PRICES, "Price changes of saved offers", "Изменения цен в избранном"),
            topic(DIGEST, "Daily digest", "Ежедневная подборка"),
            topic(OFFERS, "Your own offers", "Ваши объявления"),
            topic(PROMOTIONS, "Paid services", "Платные услуги"),
            new Topic(PAYMENTS, "Payments and refunds", "Платежи и возвраты", true),
            topic(NEWS, "News", "Новости"),
            new Topic(ACCOUNT, "Account and security", "Аккаунт и безопасность", true)));
  }

  private static Topic topic(String id, String name, String russianName) {
    return new Topic(id, name, russianName, false);
  }

  public Optional<Topic> find(String id) {
    return all.stream().filter(topic -> topic.id().equals(id)).findFirst();
  }

  public boolean has(String id) {
    return find(id).isPresent();
  }
}
