package dev.torg.notifications.email;

import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.time.Instant;
import java.util.Date;

/// A mail with a text and an HTML part, in the form in which it is transmitted.
final class MimeMail extends MimeMessage {
  private static final String UTF_8 = "utf-8";

  private final String messageId;

  private MimeMail(Session session, String messageId) {
    super(session);
    this.messageId = messageId;
  }

  /// @param unsubscribeUrl for one-click unsubscription as in RFC 8058; empty: none
  static MimeMail of(
      Session session,
      InternetAddress from,
      InternetAddress to,
      MailContent content,
      String unsubscribeUrl,
      String messageId,
      Instant now)
      throws MessagingException {
    MimeMail mail = new MimeMail(session, messageId);
    mail.setFrom(from);
    mail.setRecipient(Message.RecipientType.TO, to);
    mail.setSubject(content.subject(), UTF_8);
    mail.setSentDate(Date.from(now));
    mail.setHeader("Auto-Submitted", "auto-generated");
    if (!unsubscribeUrl.isEmpty()) {
      mail.setHeader("List-Unsubscribe", "<" + unsubscribeUrl + ">");
      mail.setHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
    }
    mail.setContent(parts(content));
    mail.saveChanges();
    return mail;
  }

  private static MimeMultipart parts(MailContent content) throws MessagingException {
    MimeBodyPart text = new MimeBodyPart();
    text.setText(content.text(), UTF_8);
    MimeBodyPart html = new MimeBodyPart();
    html.setText(content.html(), UTF_8, "html");
    return new MimeMultipart("alternative", text, html);
  }

  @Override
  protected void updateMessageID() throws MessagingException {
    setHeader("Message-ID", messageId);
  }
}
