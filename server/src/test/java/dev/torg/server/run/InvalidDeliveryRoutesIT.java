package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.await;
import static dev.torg.server.run.TestTorg.unauthenticated;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.torg.server.config.Setting;
import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import dev.torg.testkit.TestSite;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Bad input of every kind: a clear error, and nothing reaches the bell, a mail server or a webhook.
@Tag(TestTorg.OWN)
class InvalidDeliveryRoutesIT {
  private static final GreenMail MAIL = new GreenMail(new ServerSetup(0, "127.0.0.1", "smtp"));
  private static final TestSite SITE = new TestSite();
  private static final AtomicLong IDS = new AtomicLong();
  private static final String SEND = "/v1/notifications";
  private static final String TEMPLATE = "/v1/templates/hostile";

  @RegisterExtension static final TestTorg TORG = new TestTorg(settings());

  private final TestUser service = TORG.service();
  private final TestUser recipient = TORG.user();

  private static Map<Setting, String> settings() {
    MAIL.start();
    return Map.of(Setting.MAIL_SMTP, "smtp://127.0.0.1:" + MAIL.getSmtp().getPort());
  }

  @AfterAll
  static void stop() {
    MAIL.stop();
    SITE.close();
  }

  /// A valid notification that is sent afterwards arrives alone.
  @AfterEach
  void nothingElseWasSent() {
    send("\"topic\":\"news\",\"content\":{\"title\":\"Valid\"}").ok();
    await("the valid one", () -> !bell().isEmpty());
    assertThat(bell()).hasSize(1);
    assertThat(bell().at("/0/title").asText()).isEqualTo("Valid");
    assertThat(MAIL.getReceivedMessages()).isEmpty();
    assertThat(SITE.requested()).isEmpty();
  }

  private JsonNode bell() {
    return TORG.get(recipient, SEND).ok().body().path("notifications");
  }

  private HttpReply send(String fields) {
    return TORG.post(
        service,
        SEND,
        "{\"id\":\"i%d\",\"recipients\":[\"%s\"],\"channels\":[\"EMAIL\",\"WEBHOOK\"],%s}"
            .formatted(IDS.incrementAndGet(), recipient.subject(), fields));
  }

  private HttpReply sendContent(String fields) {
    return send("\"topic\":\"news\",\"content\":{\"title\":\"Invalid\",%s}".formatted(fields));
  }

  @Test
  void send_unknownTopic_isInvalid() {
    send("\"topic\":\"lamps\",\"content\":{\"title\":\"Invalid\"}")
        .failed(400, "topic.unknown")
        .invalid("topic");
  }

  @ParameterizedTest
  @ValueSource(strings = {"FAX", "email", "BELL", ""})
  void send_unknownChannel_isInvalid(String channel) {
    TORG.post(
            service,
            SEND,
            "{\"id\":\"i%d\",\"recipients\":[\"%s\"],\"channels\":[\"EMAIL\",\"%s\"],\"topic\":\"news\",\"content\":{\"title\":\"Invalid\"}}"
                .formatted(IDS.incrementAndGet(), recipient.subject(), channel))
        .invalid("channels[1]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"iosCategory\":\"a b\" | content.iosCategory",
        "\"open\":{\"type\":\"1 2\"} | content.open.type",
        "\"open\":{\"web\":\"javascript:alert(1)\"} | content.open.web",
        "\"buttons\":[{\"text\":\"\"}] | content.buttons[0].text",
        "\"attachments\":[{\"kind\":\"IMAGE\",\"url\":\"data:image/png,\"}] | content.attachments[0].url"
      })
  void send_invalidContent_namesTheField(String fields, String field) {
    sendContent(fields).invalid(field);
  }

  @Test
  void send_unknownKindOfAttachment_isMalformed() {
    sendContent("\"attachments\":[{\"kind\":\"AUDIO\",\"url\":\"https://x.example/1\"}]")
        .failed(400, "request.malformed");
  }

  /// The client may see the reset of its upload before it reads the response.
  @Test
  void send_tenMegabytes_isRefused() {
    String large = "\"text\":\"%s\"".formatted("x".repeat(10_000_000));
    try {
      sendContent(large).failed(400, "request.too-large");
    } catch (IllegalStateException reset) {
      assertThat(reset).hasCauseInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"a\\u202eb\"",
        "\"a\\u0000b\"",
        "[\"x\"]",
        "{\"b\":{\"c\":\"x\"}}",
        "\"{{#a}}\",\"unknown\":\"1\""
      })
  void send_hostileTemplateParameters_areInvalid(String parameter) {
    TORG.put(
            service,
            TEMPLATE,
            "{\"languages\":{\"en\":{\"title\":\"Hello {{a}}\"}},\"params\":[\"a\"]}")
        .ok();
    HttpReply refused =
        send(
            "\"topic\":\"news\",\"template\":{\"id\":\"hostile\",\"params\":{\"a\":%s}}"
                .formatted(parameter));
    assertThat(refused.status()).as("%s", refused.body()).isEqualTo(400);
    assertThat(refused.body().path("violations").findValuesAsText("field"))
        .allSatisfy(field -> assertThat(field).startsWith("template.params"))
        .isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/unsubscribe", "/v1/unsubscribe?t=x", "/v1/unsubscribe?t=YQ.YQ"})
  void unsubscribe_forgedLink_isInvalid(String link) {
    TORG.get(unauthenticated(), link).failed(400, "unsubscribe.link").invalid("t");
    TORG.post(unauthenticated(), link, "{}").failed(400, "unsubscribe.link");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://127.0.0.1/hook",
        "https://localhost/hook",
        "https://10.0.0.1/hook",
        "https://192.168.1.1/hook",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/hook",
        "https://[::ffff:127.0.0.1]/hook",
        "https://2130706433/hook",
        "ftp://example.com/hook"
      })
  void webhook_privateAddress_isRefused(String url) {
    contact(url).failed(400, "contact.address");
  }

  @Test
  void webhook_localServer_isRefusedWithoutACall() {
    contact(SITE.put("/hook", 200)).failed(400, "contact.address");
    assertThat(TORG.get(recipient, "/v1/contacts").ok().body().path("contacts")).isEmpty();
  }

  private HttpReply contact(String url) {
    return TORG.put(
        recipient, "/v1/contacts", "{\"kind\":\"WEBHOOK\",\"address\":\"%s\"}".formatted(url));
  }
}
