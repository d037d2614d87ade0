package dev.torg.notifications.email;

import java.util.List;
import java.util.Optional;

/// Renders a mail as HTML. Tables and inline styles, because mail programs ignore most other CSS. Everything of the
/// message is escaped.
final class MailHtml {
  private static final String FONT =
      "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";

  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="{language}">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light">
      <title>{title}</title>
      </head>
      <body style="margin:0;padding:0;background:#f3f4f6;">
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f6;">
      <tr><td align="center" style="padding:32px 16px;">
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;">
      <tr><td style="background:#ffffff;border:1px solid #e5e7eb;border-radius:12px;overflow:hidden;{font}">
      {image}<div style="padding:28px 32px 32px;">
      <h1 style="margin:0 0 12px;font-size:22px;line-height:1.3;font-weight:600;color:#111827;overflow-wrap:anywhere;">{heading}</h1>
      {text}{attachments}{buttons}</div>
      </td></tr>
      <tr><td style="padding:20px 32px;text-align:center;font-size:13px;line-height:1.5;color:#6b7280;{font}">
      {footer}
      </td></tr>
      </table>
      </td></tr>
      </table>
      </body>
      </html>
      """;

  private static final String IMAGE =
      """
      <img src="{url}" alt="" width="560" style="display:block;width:100%;height:auto;border:0;">
      """;

  private static final String PARAGRAPH =
      """
      <p style="margin:0 0 12px;font-size:16px;line-height:1.55;color:#374151;overflow-wrap:anywhere;">{text}</p>
      """;

  private static final String ATTACHMENT =
      """
      <p style="margin:0 0 8px;font-size:15px;line-height:1.4;overflow-wrap:anywhere;">\
      <a href="{url}" style="color:#1d4ed8;">{label}</a></p>
      """;

  private static final String BUTTON =
      """
      <a href="{url}" style="display:inline-block;margin:12px 8px 0 0;padding:11px 22px;border:1px solid #1d4ed8;\
      border-radius:8px;font-size:15px;line-height:1.2;font-weight:600;text-decoration:none;{colors}">{label}</a>
      """;

  private static final String PRIMARY = "background:#1d4ed8;color:#ffffff;";
  private static final String SECONDARY = "background:#ffffff;color:#1d4ed8;";

  private MailHtml() {}

  /// @param unsubscribeUrl empty: the footer has no link
  static String render(
      String title,
      String text,
      Optional<String> image,
      List<MailLink> attachments,
      List<MailLink> links,
      String unsubscribeUrl,
      MailTexts texts) {
    return PAGE.replace("{font}", FONT)
        .replace("{language}", texts.language())
        .replace("{footer}", footer(unsubscribeUrl, texts))
        .replace("{image}", image.map(url -> IMAGE.replace("{url}", escape(url))).orElse(""))
        .replace("{buttons}", buttons(links))
        .replace("{attachments}", attachments(attachments))
        .replace("{title}", escape(title))
        .replace("{heading}", escape(title))
        .replace("{text}", paragraphs(text));
  }

  private static String paragraphs(String text) {
    StringBuilder html = new StringBuilder();
    for (String paragraph : text.strip().split("\\n\\s*\\n", -1)) {
      if (!paragraph.isBlank()) {
        html.append(PARAGRAPH.replace("{text}", escape(paragraph.strip()).replace("\n", "<br>")));
      }
    }
    return html.toString();
  }

  private static String buttons(List<MailLink> links) {
    StringBuilder html = new StringBuilder();
    for (MailLink link : links) {
      html.append(
          BUTTON
              .replace("{colors}", html.isEmpty() ? PRIMARY : SECONDARY)
              .replace("{url}", escape(link.url()))
              .replace("{label}", escape(link.label())));
    }
    return html.toString();
  }

  private static String attachments(List<MailLink> attachments) {
    StringBuilder html = new StringBuilder();
    for (MailLink link : attachments) {
      html.append(
          ATTACHMENT.replace("{url}", escape(link.url())).replace("{label}", escape(link.label())));
    }
    return html.toString();
  }

  private static String footer(String unsubscribeUrl, MailTexts texts) {
    return unsubscribeUrl.isEmpty()
        ? escape(texts.reason())
        : "%s<br><a href=\"%s\" style=\"color:#6b7280;\">%s</a>"
            .formatted(escape(texts.reason()), escape(unsubscribeUrl), escape(texts.unsubscribe()));
  }

  /// Braces too: no text can become a placeholder.
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        case '{' -> escaped.append("&#123;");
        case '}' -> escaped.append("&#125;");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
