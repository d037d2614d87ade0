package dev.torg.notifications.email;

import dev.torg.notifications.Channel;
import dev.torg.notifications.SenderSettings;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.OutgoingMessage;
import jakarta.mail.Address;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import javax.net.ssl.SSLSocketFactory;

/// Sends mails by SMTP.
public final class EmailSender implements ChannelSender, AutoCloseable {
  private final InternetAddress from;
  private final MailRenderer renderer;
  private final ContentLinks links;
  private final SmtpConnections connections;
  private final InstantSource clock;

  /// @param tls for servers whose certificates the JVM does not trust
  public EmailSender(
      SenderSettings.Smtp server,
      String mailFrom,
      ContentLinks links,
      Optional<SSLSocketFactory> tls,
      InstantSource clock) {
    this.from = parse(mailFrom).orElseThrow();
    this.renderer = new MailRenderer(links);
    this.links = links;
    this.connections = new SmtpConnections(server, tls);
    this.clock = clock;
  }

  @Override
  public Channel channel() {
    return Channel.EMAIL;
  }

  @Override
  public boolean isConfigured() {
    return true;
  }

  @Override
  public DeliveryOutcome send(OutgoingMessage message) {
    Optional<InternetAddress> to =
        message.target() instanceof DeliveryTarget.Email email
            ? parse(email.address())
            : Optional.empty();
    if (to.isEmpty()) {
      return DeliveryOutcome.rejected("bad-address");
    }
    try {
      MimeMail mail = mail(message, to.get());
      return send(mail, to.get());
    } catch (MessagingException e) {
      return DeliveryOutcome.rejected("bad-message");
    }
  }

  private MimeMail mail(OutgoingMessage message, InternetAddress to) throws MessagingException {
    return MimeMail.of(
        connections.session(),
        from,
        to,
        renderer.render(message),
        links.absolute(message.unsubscribeUrl()).orElse(""),
        messageId(message),
        clock.instant());
  }

  /// The same for each attempt, so that mail programs can deduplicate.
  private String messageId(OutgoingMessage message) {
    String about = message.recipient() + "\n" + message.notificationId();
    UUID id = UUID.nameUUIDFromBytes(about.getBytes(StandardCharsets.UTF_8));
    String address = from.getAddress();
    return "<" + id + address.substring(address.lastIndexOf('@')) + ">";
  }

  private DeliveryOutcome send(MimeMail mail, InternetAddress to) {
    SmtpConnection connection;
    try {
      connection = connections.acquire();
    } catch (MessagingException e) {
      return SmtpOutcomes.ofConnect(e);
    }
    try {
      return send(connection, mail, to);
    } catch (MessagingException e) {
      return isClosedByServer(connection, e)
          ? sendOnNewConnection(mail, to)
          : SmtpOutcomes.ofSend(e, connection.isDataEnded());
    }
  }

  /// The server may close a connection between two mails.
  private static boolean isClosedByServer(SmtpConnection connection, MessagingException failure) {
    return connection.isReused() && !connection.isDataEnded() && SmtpOutcomes.isLost(failure);
  }

  private DeliveryOutcome sendOnNewConnection(MimeMail mail, InternetAddress to) {
    SmtpConnection connection;
    try {
      connection = connections.connect();
    } catch (MessagingException e) {
      return SmtpOutcomes.ofConnect(e);
    }
    try {
      return send(connection, mail, to);
    } catch (MessagingException e) {
      return SmtpOutcomes.ofSend(e, connection.isDataEnded());
    }
  }

  private DeliveryOutcome send(SmtpConnection connection, MimeMail mail, InternetAddress to)
      throws MessagingException {
    try {
      connection.sendMessage(mail, new Address[] {to});
    } catch (MessagingException | RuntimeException e) {
      SmtpConnections.close(connection);
      throw e;
    }
    connections.release(connection);
    return DeliveryOutcome.delivered();
  }

  /// One complete address; empty if it is invalid.
  public static Optional<InternetAddress> parse(String address) {
    try {
      InternetAddress[] parsed = InternetAddress.parse(address, true);
      if (parsed.length != 1 || parsed[0].isGroup() || hasControlCharacter(address)) {
        return Optional.empty();
      }
      parsed[0].validate();
      boolean hasDomain = parsed[0].getAddress().indexOf('@') > 0;
      return hasDomain ? Optional.of(withUtf8Name(parsed[0])) : Optional.empty();
    } catch (AddressException | java.io.UnsupportedEncodingException e) {
      return Optional.empty();
    }
  }

  private static InternetAddress withUtf8Name(InternetAddress address)
      throws java.io.UnsupportedEncodingException {
    return new InternetAddress(
        address.getAddress(), address.getPersonal(), StandardCharsets.UTF_8.name());
  }

  private static boolean hasControlCharacter(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }

  @Override
  public void close() {
    connections.close();
  }
}
