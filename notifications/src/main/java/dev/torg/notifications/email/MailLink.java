package dev.torg.notifications.email;

import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.MessageButton;
import dev.torg.notifications.channel.MessageContent;
import java.util.List;
import java.util.Optional;

/// A link that is shown as a button.
record MailLink(String label, String url) {
  /// The message's buttons; if none leads to a web page, its action.
  static List<MailLink> of(MessageContent content, ContentLinks links, MailTexts texts) {
    List<MailLink> buttons =
        content.buttons().stream().flatMap(button -> of(button, links).stream()).toList();
    return buttons.isEmpty()
        ? links.absolute(content.action().web()).stream()
            .map(url -> new MailLink(texts.open(), url))
            .toList()
        : buttons;
  }

  private static Optional<MailLink> of(MessageButton button, ContentLinks links) {
    return links.absolute(button.action().web()).map(url -> new MailLink(button.text(), url));
  }
}
