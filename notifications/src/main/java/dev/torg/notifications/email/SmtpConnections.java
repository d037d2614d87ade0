package dev.torg.notifications.email;

import dev.torg.notifications.SenderSettings;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedDeque;
import javax.net.ssl.SSLSocketFactory;

/// Connections to the mail server, reused while they are fresh. Callers bound how many are in use.
final class SmtpConnections implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(10);

  /// Servers close connections that are idle for longer, some after a minute.
  private static final Duration MAX_IDLE = Duration.ofSeconds(20);

  /// Servers limit the mails of a connection, usually to 100.
  private static final int MAX_MAILS = 90;

  private final SenderSettings.Smtp server;
  private final Session session;
  private final ConcurrentLinkedDeque<SmtpConnection> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  SmtpConnections(SenderSettings.Smtp server, Optional<SSLSocketFactory> tls) {
    this.server = server;
    this.session = Session.getInstance(properties(server, tls));
  }

  private static Properties properties(SenderSettings.Smtp server, Optional<SSLSocketFactory> tls) {
    Properties properties = new Properties();
    String prefix = "mail." + protocol(server) + ".";
    properties.put(prefix + "connectiontimeout", "" + CONNECT_TIMEOUT.toMillis());
    properties.put(prefix + "timeout", "" + READ_TIMEOUT.toMillis());
    properties.put(prefix + "writetimeout", "" + WRITE_TIMEOUT.toMillis());
    properties.put(prefix + "auth", "" + !server.user().isEmpty());
    properties.put(prefix + "starttls.enable", "true");
    properties.put(prefix + "starttls.required", "" + server.requireStartTls());
    properties.put(prefix + "ssl.checkserveridentity", "true");
    properties.put(prefix + "localhost", "localhost");
    properties.put(prefix + "quitwait", "false");
    tls.ifPresent(factory -> properties.put(prefix + "ssl.socketFactory", factory));
    return properties;
  }

  private static String protocol(SenderSettings.Smtp server) {
    return server.tls() ? "smtps" : "smtp";
  }

  Session session() {
    return session;
  }

  /// A fresh connection, or a new one.
  SmtpConnection acquire() throws MessagingException {
    for (SmtpConnection connection = idle.pollFirst();
        connection != null;
        connection = idle.pollFirst()) {
      if (connection.idleNanos() < MAX_IDLE.toNanos()) {
        return connection;
      }
      close(connection);
    }
    return connect();
  }

  SmtpConnection connect() throws MessagingException {
    SmtpConnection connection =
        new SmtpConnection(
            session, new URLName(protocol(server), server.host(), server.port(), null, null, null));
    try {
      connection.connect(
          server.host(),
          server.port(),
          server.user().isEmpty() ? null : server.user(),
          server.user().isEmpty() ? null : server.password());
      return connection;
    } catch (MessagingException e) {
      close(connection);
      throw e;
    }
  }

  /// Gives a connection back whose last mail was answered.
  void release(SmtpConnection connection) {
    if (closed || connection.mails() >= MAX_MAILS) {
      close(connection);
    } else {
      idle.addFirst(connection);
    }
  }

  static void close(SmtpConnection connection) {
    try {
      connection.close();
    } catch (MessagingException e) {
      // The connection is not used any more, whether the server received QUIT or not.
    }
  }

  @Override
  public void close() {
    closed = true;
    for (SmtpConnection connection = idle.poll(); connection != null; connection = idle.poll()) {
      close(connection);
    }
  }
}
