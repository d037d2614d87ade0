package dev.torg.promotions.intent;

import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OpenAction;
import dev.torg.api.v1.Why;
import dev.torg.notifications.BellEntry;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.TopicChannels;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Money;
import dev.torg.platform.db.Tx;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Map;

/// The bell entries that notify sellers of a balance that does not suffice for their intents, in English or Russian.
public final class UnpaidNotices {
  private static final String RUSSIAN = "ru";
  private static final String KIND = "BALANCE_INSUFFICIENT";
  private static final String PATH = "/my/balance";

  private final RecipientSettings settings;
  private final TopicChannels channels;
  private final String publicUrl;

  /// The first intent of a seller that could not be paid.
  record Unpaid(Offer offer, List<String> services, Money total, Money balance) {
    Unpaid {
      services = List.copyOf(services);
    }
  }

  /// @param publicUrl `https://example.org`, or empty: links are paths then
  public UnpaidNotices(RecipientSettings settings, TopicChannels channels, String publicUrl) {
    this.settings = settings;
    this.channels = channels;
    this.publicUrl = publicUrl;
  }

  /// One entry per seller. Their keys differ each time, because a seller is notified again after what was missing has been
  /// paid.
  List<BellEntry> entries(Tx tx, Map<String, Unpaid> unpaid, Instant now) throws SQLException {
    Map<String, NotificationSettings> ofSellers = settings.of(tx, unpaid.keySet());
    List<BellEntry> entries = new ArrayList<>();
    unpaid.forEach(
        (seller, missing) -> {
          NotificationSettings ofSeller =
              ofSellers.getOrDefault(seller, RecipientSettings.DEFAULTS);
          entries.add(
              new NewNotification(
                  seller,
                  "balance:" + seller + ":" + EpochMicros.of(now),
                  NotificationTopics.PROMOTIONS,
                  now,
                  null,
                  content(missing, ofSeller.getLanguage().equals(RUSSIAN)),
                  DeliveryRequest.on(channels.of(NotificationTopics.PROMOTIONS, ofSeller))));
        });
    return entries;
  }

  private Notification content(Unpaid missing, boolean isRussian) {
    String title =
        isRussian
            ? "Недостаточно средств для продвижения ‘%s’"
            : "Your balance does not suffice to promote ‘%s’";
    String text =
        isRussian
            ? "%s: нужно %s, на балансе %s. Услуги будут подключены после пополнения."
            : "%s: %s needed, your balance is %s. The services start as soon as you top it up.";
    return Notification.newBuilder()
        .setTitle(title.formatted(missing.offer().getTitle()))
        .setText(
            text.formatted(
                String.join(", ", missing.services()),
                display(missing.total()),
                display(missing.balance())))
        .setAction(PATH)
        .setOpen(OpenAction.newBuilder().setWeb(publicUrl + PATH).setType("balance"))
        .setWhy(Why.newBuilder().setKind(KIND).setId(missing.offer().getId()))
        .build();
  }

  /// `19.99 EUR`.
  private static String display(Money money) {
    int digits = Currency.getInstance(money.currency()).getDefaultFractionDigits();
    return BigDecimal.valueOf(money.amount(), digits).toPlainString() + " " + money.currency();
  }
}
