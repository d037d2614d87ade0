package dev.torg.notifications.email;

import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.channel.PlainText;
import java.util.List;

/// Renders messages as mails.
public final class MailRenderer {
  private static final int MAX_SUBJECT = 200;

  private final ContentLinks links;

  public MailRenderer(ContentLinks links) {
    this.links = links;
  }

  public MailContent render(OutgoingMessage message) {
    MessageContent content = message.content();
    MailTexts texts = MailTexts.of(message.language());
    List<MailLink> buttons = MailLink.of(content, links, texts);
    List<MailLink> attachments = MailLink.ofAttachments(content, links);
    String title = PlainText.line(content.title());
    String text = PlainText.lines(content.text());
    String unsubscribe = links.absolute(message.unsubscribeUrl()).orElse("");
    return new MailContent(
        PlainText.shortened(title, MAX_SUBJECT, "…"),
        plain(title, text, attachments, buttons, unsubscribe, texts),
        MailHtml.render(
            title,
            text,
            content.image().flatMap(links::absolute),
            attachments,
            buttons,
            unsubscribe,
            texts));
  }

  private static String plain(
      String title,
      String text,
      List<MailLink> attachments,
      List<MailLink> buttons,
      String unsubscribe,
      MailTexts texts) {
    StringBuilder plain = new StringBuilder(title).append("\n\n");
    if (!text.isEmpty()) {
      plain.append(text).append("\n\n");
    }
    append(plain, attachments);
    append(plain, buttons);
    plain.append("-- \n").append(texts.reason());
    if (!unsubscribe.isEmpty()) {
      plain.append('\n').append(texts.unsubscribe()).append(": ").append(unsubscribe);
    }
    return plain.append('\n').toString();
  }

  private static void append(StringBuilder plain, List<MailLink> links) {
    for (MailLink link : links) {
      plain.append(PlainText.line(link.label())).append(": ").append(link.url()).append('\n');
    }
    plain.append(links.isEmpty() ? "" : "\n");
  }
}
