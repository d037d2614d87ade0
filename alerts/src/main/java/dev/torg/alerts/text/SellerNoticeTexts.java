package dev.torg.alerts.text;

import dev.torg.api.v1.FeedTask;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Why;
import dev.torg.notifications.RecipientSettings;
import dev.torg.platform.EpochMicros;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/// What sellers are notified of about their own offers, in English or Russian: single events, which name the offer or
/// feed, and many at once, which are counted.
///
/// The entries do not refer to the offer by their column, but only by what they open: a ban withdraws the unread entries
/// about an offer, and the seller must receive this one.
public final class SellerNoticeTexts {
  private static final long SECONDS_PER_DAY = Duration.ofDays(1).toSeconds();

  private final TextLanguage language;
  private final ZoneId zone;
  private final OpenLinks links;

  public SellerNoticeTexts(NotificationSettings settings, OpenLinks links) {
    this.language = TextLanguage.of(settings);
    this.zone = RecipientSettings.zone(settings);
    this.links = links;
  }

  public Notification banned(Offer offer) {
    String reasons = String.join("; ", offer.getBanReasonsList());
    String text =
        reasons.isEmpty()
            ? select("A moderator has hidden it.", "Модератор скрыл его.")
            : select("Reasons: ", "Причины: ") + reasons;
    return about(
        offer,
        SellerNoticeKind.OFFER_BANNED,
        select("Your offer ‘%s’ was banned", "Ваше объявление ‘%s’ заблокировано"),
        text);
  }

  public Notification unbanned(Offer offer) {
    String text =
        switch (offer.getStatus()) {
          case ACTIVE -> select("It is on sale again.", "Оно снова в продаже.");
          case EXPIRED ->
              select("It has expired in the meantime.", "Тем временем срок его размещения истёк.");
          default -> select("The ban has ended.", "Блокировка снята.");
        };
    return about(
        offer,
        SellerNoticeKind.OFFER_UNBANNED,
        select(
            "Your offer ‘%s’ is no longer banned", "Ваше объявление ‘%s’ больше не заблокировано"),
        text);
  }

  public Notification expiresSoon(Offer offer, Instant now) {
    Instant end = EpochMicros.instant(offer.getExpiresAt());
    long days = Math.max(1, Math.round((double) now.until(end).toSeconds() / SECONDS_PER_DAY));
    LocalDate date = LocalDate.ofInstant(end, zone);
    return about(
        offer,
        SellerNoticeKind.OFFER_EXPIRES_SOON,
        select(
            "Your offer ‘%s’ expires in " + (days == 1 ? "1 day" : days + " days"),
            "Срок размещения объявления ‘%s’ истекает, осталось дней: " + days),
        select("Prolong it before ", "Продлите его до ") + date + ".");
  }

  public Notification expired(Offer offer) {
    return about(
        offer,
        SellerNoticeKind.OFFER_EXPIRED,
        select("Your offer ‘%s’ has expired", "Срок размещения объявления ‘%s’ истёк"),
        select("Reactivate it to sell it.", "Разместите его снова, чтобы продать."));
  }

  /// @param offer with its failed photos
  public Notification photosFailed(Offer offer, List<String> errors) {
    int photos = errors.size();
    return about(
        offer,
        SellerNoticeKind.PHOTOS_FAILED,
        photos == 1
            ? select("A photo of ‘%s’ could not be used", "Фото к объявлению ‘%s’ не принято")
            : select(
                photos + " photos of ‘%s’ could not be used",
                "Фото к объявлению ‘%s’ не приняты: " + photos),
        String.join("\n", errors.stream().distinct().limit(3).toList()));
  }

  public Notification feedFinished(FeedTask task) {
    return about(
        task,
        SellerNoticeKind.FEED_FINISHED,
        select("Your feed %d is finished", "Загрузка %d завершена"),
        counts(task));
  }

  public Notification feedStopped(FeedTask task) {
    String title =
        task.getStatus() == FeedTask.Status.STOPPED
            ? select("Your feed %d was stopped", "Загрузка %d остановлена")
            : select("Your feed %d failed", "Загрузка %d не удалась");
    return about(
        task, SellerNoticeKind.FEED_STOPPED, title, task.getMessage() + "\n" + counts(task));
  }

  /// Many events of one kind.
  ///
  /// @param examples titles of some of the offers
  public Notification many(SellerNoticeKind kind, int count, List<String> examples) {
    String title =
        switch (kind) {
          case OFFER_BANNED ->
              select(
                  count + " of your offers were banned",
                  "Заблокировано ваших объявлений: " + count);
          case OFFER_UNBANNED ->
              select(
                  count + " of your offers are no longer banned",
                  "Разблокировано ваших объявлений: " + count);
          case OFFER_EXPIRES_SOON ->
              select(
                  count + " of your offers expire within 3 days",
                  "Объявлений, срок которых истекает в течение 3 дней: " + count);
          case OFFER_EXPIRED ->
              select(
                  count + " of your offers have expired", "Истёк срок ваших объявлений: " + count);
          case PHOTOS_FAILED ->
              select(
                  count + " photos of your offers could not be used",
                  "Не принято фото к вашим объявлениям: " + count);
          case FEED_FINISHED ->
              select(count + " of your feeds are finished", "Завершено загрузок: " + count);
          case FEED_STOPPED ->
              select(
                  count + " of your feeds were stopped or failed",
                  "Остановлено загрузок: " + count);
        };
    return Notification.newBuilder()
        .setTitle(title)
        .setText(examples(examples))
        .setOpen(kind.isOfFeed() ? links.feeds() : links.ownOffers())
        .setWhy(Why.newBuilder().setKind(kind.name()))
        .build();
  }

  private String examples(List<String> examples) {
    return examples.isEmpty()
        ? ""
        : select("Among them: ", "В том числе: ") + String.join(", ", examples);
  }

  private Notification about(Offer offer, SellerNoticeKind kind, String title, String text) {
    Notification.Builder notification =
        Notification.newBuilder()
            .setTitle(title.formatted(offer.getTitle()))
            .setText(text)
            .setAction("/offers/" + offer.getId())
            .setOpen(links.offer(offer.getId()))
            .setWhy(
                Why.newBuilder()
                    .setKind(kind.name())
                    .setId(offer.getId())
                    .setName(offer.getTitle()));
    OfferImage.firstPhoto(offer)
        .ifPresent(photo -> notification.addAttachments(OfferImage.attachment(photo, links)));
    return notification.build();
  }

  private Notification about(FeedTask task, SellerNoticeKind kind, String title, String text) {
    String id = Long.toString(task.getTaskId());
    return Notification.newBuilder()
        .setTitle(title.formatted(task.getTaskId()))
        .setText(text)
        .setAction("/my/feeds/" + id)
        .setOpen(links.feed(id))
        .setWhy(Why.newBuilder().setKind(kind.name()).setId(id))
        .build();
  }

  private String counts(FeedTask task) {
    List<String> counts = new ArrayList<>();
    counts.add(select("created: ", "создано: ") + task.getCreated());
    counts.add(select("updated: ", "изменено: ") + task.getUpdated());
    counts.add(select("unchanged: ", "без изменений: ") + task.getUnchanged());
    counts.add(select("removed: ", "удалено: ") + task.getRemoved());
    counts.add(select("failed: ", "с ошибками: ") + task.getFailed());
    if (task.getPhotosFailed() > 0) {
      counts.add(select("failed photos: ", "фото с ошибками: ") + task.getPhotosFailed());
    }
    return select("Offers ", "Объявления: ") + String.join(", ", counts);
  }

  private String select(String english, String russian) {
    return language.select(english, russian);
  }
}
