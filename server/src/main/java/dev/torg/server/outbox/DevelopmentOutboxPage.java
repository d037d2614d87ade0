package dev.torg.server.outbox;

import dev.torg.notifications.CapturedMessage;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/// The development outbox as a page without scripts. Mails are in frames without any rights.
final class DevelopmentOutboxPage {
  /// More make the page slow; JSON has all.
  private static final int MAX_SHOWN = 200;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Development outbox</title>
      <style>
      body { margin: 0; background: #f3f4f6; color: #111827; font: 15px/1.5 system-ui, sans-serif; }
      main { max-width: 760px; margin: 0 auto; padding: 32px 16px 64px; }
      h1 { margin: 0; font-size: 24px; }
      .hint { margin: 4px 0 24px; color: #6b7280; }
      details { margin: 0 0 12px; background: #fff; border: 1px solid #e5e7eb; border-radius: 10px; overflow: hidden; }
      summary { display: grid; grid-template-columns: auto 1fr auto; gap: 2px 12px; padding: 12px 16px; cursor: pointer;
        list-style: none; }
      summary::-webkit-details-marker { display: none; }
      .channel { grid-row: span 2; align-self: center; padding: 2px 8px; border-radius: 6px; background: #dbeafe;
        color: #1e40af; font-size: 12px; font-weight: 600; }
      .SMS .channel { background: #dcfce7; color: #166534; }
      .subject { font-weight: 600; overflow-wrap: anywhere; }
      .to, time { color: #6b7280; font-size: 13px; overflow-wrap: anywhere; }
      iframe { display: block; width: 100%%; height: 560px; border: 0; border-top: 1px solid #e5e7eb; background: #fff; }
      pre { margin: 0; padding: 16px; border-top: 1px solid #e5e7eb; background: #f9fafb; font-size: 13px;
        white-space: pre-wrap; overflow-wrap: anywhere; }
      .none { padding: 48px 16px; text-align: center; color: #6b7280; background: #fff; border: 1px dashed #d1d5db;
        border-radius: 10px; }
      </style>
      </head>
      <body>
      <main>
      <h1>Development outbox</h1>
      <p class="hint">Mails and SMS that would have been sent, the newest first. Reload the page for new ones.</p>
      %s
      </main>
      </body>
      </html>
      """;

  private static final String MESSAGE =
      """
      <details class="%s"%s>
      <summary>
      <span class="channel">%s</span><span class="subject">%s</span><time datetime="%s">%s</time>
      <span class="to">to %s</span>
      </summary>
      %s
      </details>
      """;

  private DevelopmentOutboxPage() {}

  static String render(List<CapturedMessage> messages) {
    if (messages.isEmpty()) {
      return PAGE.formatted("<p class=\"none\">No mail or SMS has been sent yet.</p>");
    }
    StringBuilder html = new StringBuilder();
    for (CapturedMessage message : messages.subList(0, Math.min(MAX_SHOWN, messages.size()))) {
      html.append(render(message, html.isEmpty()));
    }
    if (messages.size() > MAX_SHOWN) {
      html.append(
          "<p class=\"hint\">%d older ones are in the JSON of this page.</p>"
              .formatted(messages.size() - MAX_SHOWN));
    }
    return PAGE.formatted(html);
  }

  private static String render(CapturedMessage message, boolean open) {
    String channel = message.channel().name();
    return MESSAGE.formatted(
        channel,
        open ? " open" : "",
        channel,
        escape(message.subject().isEmpty() ? firstLine(message.text()) : message.subject()),
        message.at(),
        TIME.format(message.at()),
        escape(message.to()),
        body(message));
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  private static String body(CapturedMessage message) {
    String text = "<pre>" + escape(message.text()) + "</pre>";
    return message.html().isEmpty()
        ? text
        : "<iframe sandbox loading=\"lazy\" title=\"mail\" srcdoc=\"%s\"></iframe>%s"
            .formatted(escape(message.html()), text);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
