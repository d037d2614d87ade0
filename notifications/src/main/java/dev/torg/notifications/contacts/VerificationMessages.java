package dev.torg.notifications.contacts;

import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.platform.Failure;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Sends codes to addresses, and the first call to webhooks.
final class VerificationMessages {
  private static final Locale RUSSIAN = Locale.of("ru");

  private final Map<Channel, ChannelSender> senders;

  VerificationMessages(Collection<ChannelSender> senders) {
    this.senders =
        senders.stream().collect(Collectors.toMap(ChannelSender::channel, Function.identity()));
  }

  /// Fails if this installation cannot send on the channel.
  void requireSender(ContactKind kind) {
    ChannelSender sender = senders.get(kind.channel());
    if (sender == null || !sender.isConfigured()) {
      throw Failure.conflict(
          "contact.channel-off", "this installation sends nothing by " + kind.channel());
    }
  }

  DeliveryOutcome sendCode(
      String recipient, DeliveryTarget target, long version, String code, Locale language) {
    return send(recipient, target, version, codeContent(code, language), language);
  }

  DeliveryOutcome callWebhook(String recipient, DeliveryTarget target, long version) {
    MessageContent content =
        MessageContent.of("Webhook verification", "Respond with 2xx to verify this address.");
    return send(recipient, target, version, content, Locale.ENGLISH);
  }

  private static MessageContent codeContent(String code, Locale language) {
    return language.getLanguage().equals(RUSSIAN.getLanguage())
        ? MessageContent.of(
            "Код подтверждения: " + code,
            "Введите код "
                + code
                + ", чтобы подтвердить этот адрес. Он действует 15 минут."
                + " Если вы его не запрашивали, ничего делать не нужно.")
        : MessageContent.of(
            "Your code: " + code,
            "Enter the code "
                + code
                + " to verify this address. It is valid for 15 minutes."
                + " If you did not request it, ignore this message.");
  }

  private DeliveryOutcome send(
      String recipient,
      DeliveryTarget target,
      long version,
      MessageContent content,
      Locale language) {
    ChannelSender sender = senders.get(target.channel());
    if (sender == null) {
      return DeliveryOutcome.refused("not-configured");
    }
    String id = "verification-" + HexFormat.of().toHexDigits(version);
    return sender.send(
        new OutgoingMessage(
            id, recipient, NotificationTopics.ACCOUNT, target, content, language, ""));
  }
}
