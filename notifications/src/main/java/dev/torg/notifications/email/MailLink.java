package dev.torg.notifications.email;

import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.MessageButton;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.PlainText;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/// A link that is shown as a button or below the text.
record MailLink(String label, String url) {
  private static final int MAX_NAME_CHARS = 100;

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

  /// The attachments that the mail does not show, under the names of their files.
  static List<MailLink> ofAttachments(MessageContent content, ContentLinks links) {
    return content.attachments().stream()
        .filter(one -> !one.url().equals(content.image().orElse("")))
        .flatMap(one -> links.absolute(one.url()).stream())
        .map(url -> new MailLink(fileName(url), url))
        .toList();
  }

  private static String fileName(String url) {
    String path = URI.create(url).getPath();
    String name =
        PlainText.line(path.substring(path.lastIndexOf('/') + 1)).replaceAll("\\p{Cf}", "");
    return name.isEmpty() ? url : PlainText.shortened(name, MAX_NAME_CHARS, "…");
  }

  private static Optional<MailLink> of(MessageButton button, ContentLinks links) {
    return links.absolute(button.action().web()).map(url -> new MailLink(button.text(), url));
  }
}
