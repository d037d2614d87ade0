package dev.torg.notifications.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.SenderSettings;
import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.TestMessages;
import dev.torg.notifications.http.TestCertificate;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Replies of a mail server and the outcomes they mean.
class SmtpOutcomesTest {
  @TempDir static Path directory;

  private static EmailSender sender(int port) {
    return new EmailSender(
        new SenderSettings.Smtp("127.0.0.1", port, "", "", false, false),
        "torg@torg.example",
        new ContentLinks("https://torg.example"),
        Optional.empty(),
        InstantSource.system());
  }

  private static DeliveryOutcome send(EmailSender sender) {
    return sender.send(TestMessages.to(new DeliveryTarget.Email("bob@example.com")));
  }

  @ParameterizedTest
  @CsvSource({
    "greeting, 421 busy, Refused, not-connected",
    "greeting, close, Refused, not-connected",
    "MAIL, 451 later, Refused, smtp-451",
    "MAIL, 550 no, Rejected, smtp-550",
    "MAIL, close, Refused, connection-lost",
    "RCPT, 450 greylisted, Refused, smtp-450",
    "RCPT, 550 5.1.1 no such user, TargetGone, smtp-550",
    "RCPT, 550 5.7.1 spam, Rejected, smtp-550",
    "RCPT, 550 no such user, Rejected, smtp-550",
    "RCPT, 552 5.2.2 full, Rejected, smtp-552",
    "RCPT, close, Refused, connection-lost",
    "DATA, 451 later, Refused, smtp-451",
    "DATA, close, Refused, connection-lost",
    "., 451 later, Refused, smtp-451",
    "., 554 5.6.0 content, Rejected, smtp-554",
    "., 554 5.1.1 content, Rejected, smtp-554",
    "., close, Unknown, connection-lost"
  })
  void send_reply_decidesTheOutcome(String command, String reply, String outcome, String reason)
      throws Exception {
    try (ScriptedSmtpServer server = new ScriptedSmtpServer(Map.of(command, reply));
        EmailSender sender = sender(server.port())) {
      DeliveryOutcome sent = send(sender);
      assertThat(sent.getClass().getSimpleName()).isEqualTo(outcome);
      assertThat(sent.toString()).contains("reason=" + reason);
      assertThat(server.mails()).isZero();
    }
  }

  @Test
  void send_nothingListens_isRefused() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (EmailSender sender = sender(port)) {
      assertThat(send(sender)).isEqualTo(DeliveryOutcome.refused("connection-refused"));
    }
  }

  @Test
  void send_twice_reusesTheConnection() throws Exception {
    try (ScriptedSmtpServer server = new ScriptedSmtpServer(Map.of());
        EmailSender sender = sender(server.port())) {
      assertThat(send(sender)).isEqualTo(DeliveryOutcome.delivered());
      assertThat(send(sender)).isEqualTo(DeliveryOutcome.delivered());
      assertThat(server.connections()).isEqualTo(1);
      assertThat(server.mails()).isEqualTo(2);
    }
  }

  @Test
  void send_reusedConnectionWasClosedByTheServer_usesANewOne() throws Exception {
    try (ScriptedSmtpServer server = new ScriptedSmtpServer(Map.of());
        EmailSender sender = sender(server.port())) {
      send(sender);
      server.replies(Map.of("MAIL", ScriptedSmtpServer.CLOSE));
      assertThat(send(sender)).isEqualTo(DeliveryOutcome.refused("connection-lost"));
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void send_reusedConnectionIsLostAfterTheData_isNeverSentAgain() throws Exception {
    try (ScriptedSmtpServer server = new ScriptedSmtpServer(Map.of());
        EmailSender sender = sender(server.port())) {
      send(sender);
      server.replies(Map.of(".", ScriptedSmtpServer.CLOSE));
      assertThat(send(sender)).isEqualTo(DeliveryOutcome.unknown("connection-lost"));
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void send_startTlsIsRequiredAndNotOffered_isRefused() throws Exception {
    try (ScriptedSmtpServer server = new ScriptedSmtpServer(Map.of());
        EmailSender sender =
            new EmailSender(
                new SenderSettings.Smtp("127.0.0.1", server.port(), "", "", false, true),
                "torg@torg.example",
                new ContentLinks("https://torg.example"),
                Optional.empty(),
                InstantSource.system())) {
      assertThat(send(sender)).isInstanceOf(DeliveryOutcome.Refused.class);
      assertThat(server.mails()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void send_startTlsIsOffered_isUsed(boolean required) throws Exception {
    SSLContext tls = TestCertificate.create(directory).context();
    try (ScriptedSmtpServer server = new ScriptedSmtpServer(Map.of());
        EmailSender sender = overTls(server.port(), required, tls.getSocketFactory())) {
      server.offerTls(tls);
      assertThat(send(sender)).isEqualTo(DeliveryOutcome.delivered());
      assertThat(server.encryptedMails()).isEqualTo(1);
    }
  }

  @Test
  void send_overTls_isDelivered() throws Exception {
    SSLContext tls = TestCertificate.create(directory).context();
    try (ScriptedSmtpServer server = new ScriptedSmtpServer(Map.of());
        EmailSender sender =
            new EmailSender(
                new SenderSettings.Smtp("127.0.0.1", server.port(), "", "", true, false),
                "torg@torg.example",
                new ContentLinks("https://torg.example"),
                Optional.of(tls.getSocketFactory()),
                InstantSource.system())) {
      server.requireTls(tls);
      assertThat(send(sender)).isEqualTo(DeliveryOutcome.delivered());
      assertThat(server.encryptedMails()).isEqualTo(1);
    }
  }

  @Test
  void send_serverIsNotTrusted_isRefused() throws Exception {
    SSLContext tls = TestCertificate.create(directory).context();
    try (ScriptedSmtpServer server = new ScriptedSmtpServer(Map.of());
        EmailSender sender = sender(server.port())) {
      server.offerTls(tls);
      assertThat(send(sender)).isEqualTo(DeliveryOutcome.refused("tls-failed"));
      assertThat(server.mails()).isZero();
    }
  }

  private static EmailSender overTls(int port, boolean required, SSLSocketFactory tls) {
    return new EmailSender(
        new SenderSettings.Smtp("127.0.0.1", port, "", "", false, required),
        "torg@torg.example",
        new ContentLinks("https://torg.example"),
        Optional.of(tls),
        InstantSource.system());
  }
}
