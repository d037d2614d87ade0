package dev.torg.notifications.email;

import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.io.IOException;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/// A connection to the mail server. Notes whether the end of a mail's data was sent: from then on the server may have
/// accepted the mail.
final class SmtpConnection extends SMTPTransport {
  private boolean dataEnded;
  private int mails;
  private long idleSince = System.nanoTime();

  /// @param url of protocol `smtp` or `smtps`
  SmtpConnection(Session session, URLName url) {
    super(session, url, url.getProtocol(), url.getProtocol().equals("smtps"));
  }

  @Override
  public synchronized void sendMessage(Message message, Address[] addresses)
      throws MessagingException {
    dataEnded = false;
    mails++;
    super.sendMessage(message, addresses);
    idleSince = System.nanoTime();
  }

  @Override
  protected void finishData() throws IOException, MessagingException {
    dataEnded = true;
    super.finishData();
  }

  synchronized boolean isDataEnded() {
    return dataEnded;
  }

  /// Whether an earlier mail was sent over it: since then the server may have closed it.
  synchronized boolean isReused() {
    return mails > 1;
  }

  /// Mails sent so far.
  synchronized int mails() {
    return mails;
  }

  synchronized long idleNanos() {
    return System.nanoTime() - idleSince;
  }
}
