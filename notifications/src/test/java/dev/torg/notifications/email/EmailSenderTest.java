package dev.torg.notifications.email;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.torg.notifications.SenderSettings;
import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.MessageAction;
import dev.torg.notifications.channel.MessageButton;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.channel.TestMessages;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Against GreenMail.
class EmailSenderTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");

  private GreenMail server;
  private EmailSender sender;

  private void start(String user, String password) {
    ServerSetup setup = new ServerSetup(0, "127.0.0.1", "smtp");
    server = new GreenMail(setup);
    server.start();
    sender = sender(user, password);
  }

  private EmailSender sender(String user, String password) {
    int port = server.getSmtp().getPort();
    return new EmailSender(
        new SenderSettings.Smtp("127.0.0.1", port, user, password, false, false),
        "Torg Österreich <noreply@torg.example>",
        new ContentLinks("https://torg.example"),
        Optional.empty(),
        InstantSource.fixed(NOW));
  }

  @AfterEach
  void close() {
    if (server != null) {
      sender.close();
      server.stop();
    }
  }

  private MimeMessage received() {
    assertThat(server.getReceivedMessages()).hasSize(1);
    return server.getReceivedMessages()[0];
  }

  private static OutgoingMessage toBob(MessageContent content) {
    return TestMessages.to(new DeliveryTarget.Email("bob@example.com"), content);
  }

  @Test
  void send_message_hasTextAndHtml() throws Exception {
    start("", "");
    assertThat(sender.send(toBob(TestMessages.CONTENT))).isEqualTo(DeliveryOutcome.delivered());
    MimeMessage mail = received();
    assertThat(mail.getSubject()).isEqualTo("VW Golf for <sale>");
    assertThat(mail.getFrom()[0].toString()).contains("noreply@torg.example");
    assertThat(mail.getContentType()).startsWith("multipart/alternative");
    MimeMultipart parts = (MimeMultipart) mail.getContent();
    assertThat(parts.getBodyPart(0).getContentType()).startsWith("text/plain");
    assertThat((String) parts.getBodyPart(0).getContent())
        .contains("One owner & full history.")
        .contains("9 900 €")
        .contains("Show: https://torg.example/offers/7")
        .contains("Unsubscribe: https://torg.example/v1/unsubscribe?t=abc");
    assertThat(parts.getBodyPart(1).getContentType()).startsWith("text/html");
    assertThat((String) parts.getBodyPart(1).getContent())
        .contains("VW Golf for &lt;sale&gt;")
        .contains("src=\"https://img.example/golf.jpg\"")
        .contains("href=\"https://torg.example/save/7\"");
  }

  @Test
  void send_message_hasTheHeadersOfOneClickUnsubscription() throws Exception {
    start("", "");
    sender.send(toBob(TestMessages.CONTENT));
    MimeMessage mail = received();
    assertThat(mail.getHeader("List-Unsubscribe"))
        .containsExactly("<https://torg.example/v1/unsubscribe?t=abc>");
    assertThat(mail.getHeader("List-Unsubscribe-Post"))
        .containsExactly("List-Unsubscribe=One-Click");
    assertThat(mail.getHeader("Auto-Submitted")).containsExactly("auto-generated");
    assertThat(mail.getMessageID()).endsWith("@torg.example>");
    assertThat(mail.getSentDate()).isEqualTo(java.util.Date.from(NOW));
  }

  /// The image is shown; what cannot be shown is linked under the name of its file.
  @Test
  void send_attachments_areLinked() throws Exception {
    start("", "");
    sender.send(toBob(TestMessages.CONTENT));
    MimeMultipart parts = (MimeMultipart) received().getContent();
    String file = "https://img.example/%D0%9F%D0%A2%D0%A1%20%E2%80%AE1.pdf?a=1&b=2";
    assertThat((String) parts.getBodyPart(0).getContent())
        .contains("golf.mp4: https://img.example/golf.mp4", "ПТС 1.pdf: " + file)
        .doesNotContain("golf.jpg");
    assertThat((String) parts.getBodyPart(1).getContent())
        .contains("href=\"https://img.example/golf.mp4\"", ">golf.mp4</a>")
        .contains("href=\"%s\"".formatted(file.replace("&", "&amp;")), ">ПТС 1.pdf</a>")
        .doesNotContain("href=\"https://img.example/golf.jpg\"");
  }

  @Test
  void send_topicThatCannotBeMuted_hasNoUnsubscription() throws Exception {
    start("", "");
    sender.send(
        new OutgoingMessage(
            "1",
            "user:7",
            "account",
            new DeliveryTarget.Email("bob@example.com"),
            MessageContent.of("Код 123456", "Введите код"),
            Locale.of("ru"),
            ""));
    MimeMessage mail = received();
    assertThat(mail.getHeader("List-Unsubscribe")).isNull();
    assertThat(mail.getSubject()).isEqualTo("Код 123456");
    MimeMultipart parts = (MimeMultipart) mail.getContent();
    assertThat((String) parts.getBodyPart(1).getContent())
        .contains("lang=\"ru\"")
        .contains("Вы получили")
        .doesNotContain("Отписаться");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Hi\r\nBcc: eve@example.com",
        "Hi\nBcc: eve@example.com\n\nbody",
        "Hi\u2028\u0000x"
      })
  void send_lineBreaksInTheTitle_addNoHeader(String title) throws Exception {
    start("", "");
    sender.send(toBob(MessageContent.of(title, "text")));
    MimeMessage mail = received();
    assertThat(mail.getHeader("Bcc")).isNull();
    assertThat(mail.getSubject()).startsWith("Hi ").doesNotContain("\n", "\r");
    assertThat(mail.getAllRecipients()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bob@example.com\r\nRCPT TO:<eve@example.com>",
        "bob@example.com, eve@example.com",
        "group: bob@example.com;",
        "bob",
        "",
        "<bob@example.com"
      })
  void send_badAddress_isRejected(String address) {
    start("", "");
    assertThat(sender.send(TestMessages.to(new DeliveryTarget.Email(address))))
        .isEqualTo(DeliveryOutcome.rejected("bad-address"));
    assertThat(server.getReceivedMessages()).isEmpty();
  }

  @Test
  void send_hostileLinks_areLeftOut() throws Exception {
    start("", "");
    sender.send(
        toBob(
            new MessageContent(
                "Title",
                "{buttons}<script>alert(1)</script>",
                Optional.of("javascript:alert(1)"),
                MessageAction.link("data:text/html,x"),
                List.of(
                    new MessageButton("\"><b>", MessageAction.link("https://x.example/\"onclick=")),
                    new MessageButton("ok", MessageAction.link("https://x.example/?a=1&b='2'"))),
                Optional.empty())));
    String html = (String) ((MimeMultipart) received().getContent()).getBodyPart(1).getContent();
    assertThat(html)
        .doesNotContain("javascript:", "data:text", "<script", "<b>", "onclick=", "<img")
        .contains("href=\"https://x.example/?a=1&amp;b=&#39;2&#39;\"");
  }

  @Test
  void send_serverRequiresLogin_logsIn() {
    start("torg", "p@ss:word");
    server.setUser("torg@torg.example", "torg", "p@ss:word");
    assertThat(sender.send(toBob(TestMessages.CONTENT))).isEqualTo(DeliveryOutcome.delivered());
    try (EmailSender wrong = sender("torg", "wrong")) {
      assertThat(wrong.send(toBob(TestMessages.CONTENT)))
          .isEqualTo(DeliveryOutcome.refused("login-failed"));
    }
  }
}
