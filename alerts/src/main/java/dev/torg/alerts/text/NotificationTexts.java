package dev.torg.alerts.text;

import dev.torg.alerts.eligibility.EligibleAlert;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.Why;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The content of alerts in the recipient's language: English or Russian. Each makes sense by itself, as a mail or push:
/// it has a title, a text, the first photo of its offer, and what it opens.
public final class NotificationTexts {
  private final TextLanguage language;
  private final OpenLinks links;

  public NotificationTexts(NotificationSettings settings, OpenLinks links) {
    this.language = TextLanguage.of(settings);
    this.links = links;
  }

  /// A new offer, with the rules that matched.
  public Notification ofNew(EligibleAlert eligible) {
    Offer offer = eligible.offer();
    Why.Builder why = why(eligible.first()).toBuilder();
    eligible.matchedRules().stream().skip(1).forEach(matched -> why.addAlso(why(matched)));
    String reason =
        eligible.first().reason().kind() == AlertReason.Kind.SEARCH
            ? localized("New for your search", "Новое по вашему поиску") + name(why.getName())
            : localized(
                "New from a seller you follow", "Новое от продавца, на которого вы подписаны");
    return about(offer)
        .setTitle(offer.getTitle())
        .setText(offer.hasPrice() ? reason + ": " + amount(offer.getPrice()) : reason)
        .setWhy(why)
        .build();
  }

  /// A changed price.
  ///
  /// @param old the price that the recipient knows, if it is still recorded
  public Notification ofPrice(EligibleAlert eligible, @Nullable Money old) {
    Offer offer = eligible.offer();
    Why.Builder why = Why.newBuilder().setKind("PRICE").setId(offer.getId());
    why.setName(offer.getTitle());
    if (old != null) {
      why.setOldPrice(old);
    }
    if (offer.hasPrice()) {
      why.setNewPrice(offer.getPrice());
    }
    return about(offer)
        .setTitle(offer.getTitle())
        .setText(priceText(old, offer.hasPrice() ? offer.getPrice() : null))
        .setWhy(why)
        .build();
  }

  /// Many new offers of one search or seller.
  public Notification ofStorm(EligibleAlert.MatchedRule matched, int offers) {
    Why source = why(matched);
    String label =
        matched.reason().kind() == AlertReason.Kind.SEARCH
            ? localized("for your search", "по вашему поиску") + name(source.getName())
            : localized("from a seller you follow", "от продавца, на которого вы подписаны");
    return Notification.newBuilder()
        .setTitle(count(offers))
        .setText(count(offers) + " " + label)
        .setAction("/favorites")
        .setOpen(
            matched.reason().kind() == AlertReason.Kind.SEARCH
                ? links.search(source.getId())
                : links.seller(source.getId()))
        .setWhy(
            Why.newBuilder()
                .setKind("STORM")
                .setId(source.getId())
                .setName(source.getName())
                .addAlso(source))
        .build();
  }

  /// A digest: the first titles, and the number of offers.
  public Notification ofDigest(String id, List<String> titles, int items, List<Why> reasons) {
    return Notification.newBuilder()
        .setTitle(localized("Your digest: ", "Ваша подборка: ") + count(items))
        .setText(String.join("\n", titles))
        .setAction("/favorites")
        .setOpen(links.favorites())
        .setWhy(Why.newBuilder().setKind("DIGEST").setId(id).addAllAlso(reasons))
        .build();
  }

  private static Why why(EligibleAlert.MatchedRule matched) {
    AlertReason reason = matched.reason();
    String name = matched.rule().name();
    return Why.newBuilder()
        .setKind(reason.kind().name())
        .setId(reason.id())
        .setName(reason.kind() == AlertReason.Kind.SELLER ? reason.id() : name)
        .build();
  }

  private Notification.Builder about(Offer offer) {
    Notification.Builder notification =
        Notification.newBuilder()
            .setOfferId(offer.getId())
            .setAction("/offers/" + offer.getId())
            .setOpen(links.offer(offer.getId()));
    Optional<Photo> photo = OfferImage.firstPhoto(offer);
    photo.ifPresent(ready -> notification.addMedia("/photos/" + ready.getId() + "/thumb"));
    photo.ifPresent(ready -> notification.addAttachments(OfferImage.attachment(ready, links)));
    return notification;
  }

  private String priceText(@Nullable Money old, @Nullable Money now) {
    String to = now == null ? localized("negotiable", "договорная") : amount(now);
    if (old == null || now == null || !old.getCurrency().equals(now.getCurrency())) {
      return localized("The price is now ", "Новая цена: ") + to;
    }
    String verb =
        now.getAmount() < old.getAmount()
            ? localized("The price fell from ", "Цена снизилась с ")
            : localized("The price rose from ", "Цена выросла с ");
    return verb + amount(old) + localized(" to ", " до ") + to;
  }

  private String count(int offers) {
    return localized(
        offers == 1 ? "1 new offer" : offers + " new offers", "Новых объявлений: " + offers);
  }

  private static String name(String name) {
    return name.isEmpty() ? "" : " ‘" + name + "’";
  }

  private static String amount(Money money) {
    int digits = Math.max(0, Currency.getInstance(money.getCurrency()).getDefaultFractionDigits());
    BigDecimal amount = BigDecimal.valueOf(money.getAmount(), digits);
    return String.format(Locale.ROOT, "%s %s", amount.toPlainString(), money.getCurrency());
  }

  private String localized(String english, String inRussian) {
    return language.select(english, inRussian);
  }
}
