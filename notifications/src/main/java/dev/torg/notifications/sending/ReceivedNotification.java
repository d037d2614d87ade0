package dev.torg.notifications.sending;

import dev.torg.api.v1.AppVersions;
import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.SentNotification;
import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.content.BellContent;
import dev.torg.notifications.template.CompiledTemplate;
import dev.torg.notifications.template.StoredTemplates;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// A message to one recipient, with the template that it names.
record ReceivedNotification(
    String recipient, SentNotification message, Optional<CompiledTemplate> template) {

  /// Blocks if the template is not cached.
  static ReceivedNotification of(
      String recipient, SentNotification message, StoredTemplates templates) {
    return new ReceivedNotification(
        recipient,
        message,
        message.hasTemplate()
            ? Optional.of(
                templates.version(message.getTemplate().getId(), message.getTemplateVersion()))
            : Optional.empty());
  }

  Home home() {
    return Home.of(recipient);
  }

  /// The key of the entry: one per sender and id. A subject contains one colon, so the key is unambiguous.
  String key() {
    return "sent:" + message.getSender() + ":" + message.getId();
  }

  boolean isExpired(Instant now) {
    return message.hasExpiresAt() && !EpochMicros.instant(message.getExpiresAt()).isAfter(now);
  }

  boolean isForLater(Instant now) {
    return message.hasSendAt() && sendAt().isAfter(now);
  }

  Instant sendAt() {
    return EpochMicros.instant(message.getSendAt());
  }

  /// The entry in the recipient's language.
  NewNotification entry(String language, Instant now) {
    NotificationContent content =
        template
            .map(one -> one.render(language, message.getTemplate().getParamsMap()).content())
            .orElseGet(message::getContent);
    return new NewNotification(
        recipient,
        key(),
        message.getTopic(),
        now,
        null,
        BellContent.of(content),
        delivery(content));
  }

  private DeliveryRequest delivery(NotificationContent content) {
    return new DeliveryRequest(
        message.getChannelsList().stream().map(Channel::valueOf).collect(Collectors.toSet()),
        message.hasExpiresAt()
            ? Optional.of(EpochMicros.instant(message.getExpiresAt()))
            : Optional.empty(),
        versions(message.getMinAppVersion()),
        Optional.of(content.getIosCategory()).filter(category -> !category.isEmpty()),
        Optional.empty(),
        Optional.of(message.getId()));
  }

  /// By platform.
  private static Map<String, String> versions(AppVersions versions) {
    Map<String, String> byPlatform = new HashMap<>();
    byPlatform.put("android", versions.getAndroid());
    byPlatform.put("ios", versions.getIos());
    byPlatform.put("web", versions.getWeb());
    byPlatform.values().removeIf(String::isEmpty);
    return byPlatform;
  }
}
