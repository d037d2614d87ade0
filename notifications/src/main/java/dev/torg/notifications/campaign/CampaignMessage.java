package dev.torg.notifications.campaign;

import dev.torg.api.v1.AppVersions;
import dev.torg.api.v1.CreateCampaignRequest;
import dev.torg.api.v1.NotificationContent;
import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.content.BellContent;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The entries of a campaign. Each language is converted once.
final class CampaignMessage {
  private static final String DEFAULT_LANGUAGE = "en";

  private final StoredCampaign campaign;
  private final Instant at;
  private final Map<String, NewNotification> byLanguage = new HashMap<>();

  CampaignMessage(StoredCampaign campaign, Instant at) {
    this.campaign = campaign;
    this.at = at;
  }

  /// The key of its entries.
  static String entryKey(CampaignKey campaign) {
    return "campaign:" + campaign.text();
  }

  /// Whether recipients receive different contents.
  boolean dependsOnLanguage() {
    return campaign.content().getLanguagesCount() > 1;
  }

  NewNotification to(String recipient, String language) {
    NewNotification entry = byLanguage.computeIfAbsent(language, this::inLanguage);
    return new NewNotification(
        recipient, entry.key(), entry.topic(), entry.at(), null, entry.content(), entry.delivery());
  }

  private NewNotification inLanguage(String language) {
    NotificationContent content = content(language);
    return new NewNotification(
        "",
        entryKey(campaign.key()),
        campaign.request().getTopic(),
        at,
        null,
        BellContent.of(content),
        delivery(content));
  }

  /// In the given language, with or without its region, else in English, else in the first one: as a template.
  private NotificationContent content(String language) {
    SortedMap<String, NotificationContent> contents =
        new TreeMap<>(campaign.content().getLanguagesMap());
    String found =
        Stream.of(language, language.split("-", 2)[0], DEFAULT_LANGUAGE)
            .filter(contents::containsKey)
            .findFirst()
            .orElseGet(contents::firstKey);
    return Objects.requireNonNull(contents.get(found));
  }

  private DeliveryRequest delivery(NotificationContent content) {
    CreateCampaignRequest request = campaign.request();
    return new DeliveryRequest(
        request.getChannelsList().stream().map(Channel::valueOf).collect(Collectors.toSet()),
        campaign.expiresAt(),
        versions(request.getMinAppVersion()),
        Optional.of(content.getIosCategory()).filter(category -> !category.isEmpty()),
        Optional.of(campaign.key().text()),
        Optional.of(campaign.key().id()));
  }

  private static Map<String, String> versions(AppVersions versions) {
    Map<String, String> byPlatform = new HashMap<>();
    byPlatform.put("android", versions.getAndroid());
    byPlatform.put("ios", versions.getIos());
    byPlatform.put("web", versions.getWeb());
    byPlatform.values().removeIf(String::isEmpty);
    return byPlatform;
  }
}
