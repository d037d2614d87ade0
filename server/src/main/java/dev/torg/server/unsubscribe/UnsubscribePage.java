package dev.torg.server.unsubscribe;

import com.google.common.html.HtmlEscapers;
import dev.torg.notifications.Channel;
import dev.torg.notifications.UnsubscribeService.Subscription;
import java.util.Locale;

/// The page behind the link in a mail, in the person's language. It loads nothing and contains no script.
final class UnsubscribePage {
  private static final String RUSSIAN = "ru";

  private static final String HTML =
      """
      <!DOCTYPE html>
      <html lang="%1$s">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="robots" content="noindex">
      <title>%2$s</title>
      <style>
      :root { color-scheme: light dark; }
      body { margin: 0; min-height: 100vh; display: grid; place-items: center;
             font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
      main { max-width: 26rem; margin: 1rem; padding: 2rem; border: 1px solid #8886; border-radius: .75rem; }
      h1 { margin: 0 0 1rem; font-size: 1.4rem; line-height: 1.3; overflow-wrap: anywhere; }
      p { margin: 0; opacity: .8; }
      form { margin: 0 0 1rem; }
      button { padding: .7rem 1.4rem; border: 0; border-radius: .5rem; background: #0b5cd5; color: #fff;
               font: inherit; font-weight: 600; cursor: pointer; }
      button:focus-visible { outline: 3px solid #0b5cd580; outline-offset: 2px; }
      </style>
      </head>
      <body>
      <main>
      <h1>%3$s</h1>
      %4$s<p>%5$s</p>
      </main>
      </body>
      </html>
      """;

  /// RFC 8058: the page's button sends what mail clients send.
  private static final String FORM =
      """
      <form method="post">
      <input type="hidden" name="List-Unsubscribe" value="One-Click">
      <button type="submit">%s</button>
      </form>
      """;

  private UnsubscribePage() {}

  /// Asks whether to unsubscribe.
  static String question(Subscription subscription) {
    boolean russian = isRussian(subscription.language());
    String title = russian ? "Отписаться" : "Unsubscribe";
    String question =
        (russian ? "Больше не получать «%s» %s?" : "Stop receiving “%s” %s?")
            .formatted(topic(subscription), by(subscription.channel(), russian));
    return page(russian, title, question, FORM.formatted(title), stillInTheBell(russian));
  }

  /// Confirms that the person has unsubscribed.
  static String done(Subscription subscription) {
    boolean russian = isRussian(subscription.language());
    String done =
        (russian ? "Вы больше не будете получать «%s» %s." : "You will no longer receive “%s” %s.")
            .formatted(topic(subscription), by(subscription.channel(), russian));
    String title = russian ? "Вы отписались" : "Unsubscribed";
    return page(russian, title, done, "", stillInTheBell(russian));
  }

  /// The link cannot be used.
  static String failed(Locale language) {
    boolean russian = isRussian(language);
    String title = russian ? "Ссылка не действует" : "This link does not work";
    String hint =
        russian
            ? "Она неполная или была изменена, или от этих уведомлений нельзя отписаться."
                + " Откройте ссылку из письма ещё раз или измените настройки уведомлений."
            : "It is incomplete or was altered, or these notifications cannot be turned off."
                + " Open the link in the mail again, or change your notification settings.";
    return page(russian, title, title, "", hint);
  }

  private static String topic(Subscription subscription) {
    return subscription.topic().name(subscription.language().getLanguage());
  }

  private static String stillInTheBell(boolean russian) {
    return russian
        ? "Уведомления останутся на сайте. Включить их снова можно в настройках уведомлений."
        : "The notifications stay on the site. You can turn them on again in your notification settings.";
  }

  private static String by(Channel channel, boolean russian) {
    return switch (channel) {
      case EMAIL -> russian ? "по электронной почте" : "by e-mail";
      case PUSH -> russian ? "в push-уведомлениях" : "as push notifications";
      case SMS -> russian ? "по SMS" : "by SMS";
      case WEBHOOK -> russian ? "через вебхук" : "by webhook";
    };
  }

  private static boolean isRussian(Locale language) {
    return language.getLanguage().equals(RUSSIAN);
  }

  private static String page(
      boolean russian, String title, String heading, String form, String note) {
    return HTML.formatted(
        russian ? RUSSIAN : "en", escape(title), escape(heading), form, escape(note));
  }

  private static String escape(String text) {
    return HtmlEscapers.htmlEscaper().escape(text);
  }
}
