package dev.torg.notifications.dispatch;

import dev.torg.api.v1.Attachment;
import dev.torg.api.v1.Button;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.OpenAction;
import dev.torg.notifications.Channel;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.MessageAction;
import dev.torg.notifications.channel.MessageAttachment;
import dev.torg.notifications.channel.MessageButton;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.delivery.UnsubscribeLinks;
import dev.torg.notifications.operation.ClaimedMessage;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Turns bell entries into messages of other channels.
final class MessageComposer {
  private final UnsubscribeLinks links;
  private final Set<String> iosCategories;
  private final DeliveryMetrics metrics;

  /// @param iosCategories the push categories that apps on iOS know
  MessageComposer(UnsubscribeLinks links, Set<String> iosCategories, DeliveryMetrics metrics) {
    this.links = links;
    this.iosCategories = iosCategories;
    this.metrics = metrics;
  }

  OutgoingMessage compose(ClaimedMessage message, DeliveryTarget target) {
    ClaimedMessage.Part newest = message.newest();
    Locale language = Locale.forLanguageTag(message.settings().getLanguage());
    MessageContent content =
        message.isSummary()
            ? SummaryText.of(
                language, message.parts().stream().map(part -> part.content().getTitle()).toList())
            : content(newest, target);
    return new OutgoingMessage(
        Long.toString(newest.operation().notificationId()),
        message.owner(),
        newest.topic().id(),
        target,
        content,
        language,
        unsubscribeUrl(message, newest),
        message.expiresAt());
  }

  /// Only mails contain it.
  private String unsubscribeUrl(ClaimedMessage message, ClaimedMessage.Part newest) {
    return message.channel() != Channel.EMAIL || newest.topic().exempt()
        ? ""
        : links.link(message.owner(), newest.topic().id(), message.channel());
  }

  private MessageContent content(ClaimedMessage.Part part, DeliveryTarget target) {
    Notification entry = part.content();
    return new MessageContent(
        entry.getTitle(),
        entry.getText(),
        image(entry),
        entry.hasOpen() ? action(entry.getOpen()) : MessageAction.link(entry.getAction()),
        entry.getButtonsList().stream().map(MessageComposer::button).toList(),
        target instanceof DeliveryTarget.Apns
            ? iosCategory(part.operation().iosCategory(), entry.getButtonsCount())
            : Optional.empty(),
        entry.getAttachmentsList().stream().flatMap(one -> attachment(one).stream()).toList());
  }

  private static Optional<MessageAttachment> attachment(Attachment attachment) {
    return kind(attachment)
        .map(kind -> new MessageAttachment(kind, attachment.getUrl(), attachment.getPreview()));
  }

  private static Optional<MessageAttachment.Kind> kind(Attachment attachment) {
    return switch (attachment.getKind()) {
      case IMAGE -> Optional.of(MessageAttachment.Kind.IMAGE);
      case VIDEO -> Optional.of(MessageAttachment.Kind.VIDEO);
      case FILE -> Optional.of(MessageAttachment.Kind.FILE);
      case KIND_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
    };
  }

  /// A push with buttons that lack a known category is sent without them.
  private Optional<String> iosCategory(Optional<String> requested, int buttons) {
    Optional<String> known = requested.filter(iosCategories::contains);
    if (requested.isPresent() && known.isEmpty()) {
      metrics.withoutCategory("unknown");
    } else if (requested.isEmpty() && buttons > 0) {
      metrics.withoutCategory("missing");
    }
    return known;
  }

  /// The first image, or the preview of a video.
  private static Optional<String> image(Notification entry) {
    return Stream.concat(
            entry.getAttachmentsList().stream()
                .map(MessageComposer::picture)
                .filter(url -> !url.isEmpty()),
            entry.getMediaList().stream())
        .findFirst();
  }

  private static String picture(Attachment attachment) {
    return switch (attachment.getKind()) {
      case IMAGE -> attachment.getUrl();
      case VIDEO -> attachment.getPreview();
      case FILE, KIND_UNSPECIFIED, UNRECOGNIZED -> "";
    };
  }

  private static MessageButton button(Button button) {
    return new MessageButton(
        button.getTitle(),
        button.hasOpen() ? action(button.getOpen()) : MessageAction.link(button.getAction()));
  }

  private static MessageAction action(OpenAction open) {
    return new MessageAction(
        open.getWeb(),
        open.getAndroid(),
        open.getIos(),
        open.getType(),
        open.hasPayload() ? PayloadJson.of(open.getPayload()).toString() : "");
  }
}
