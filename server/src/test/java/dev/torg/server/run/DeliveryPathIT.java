package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.unauthenticated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import com.sun.net.httpserver.HttpExchange;
import dev.torg.platform.Caller.Role;
import dev.torg.server.config.Setting;
import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import dev.torg.testkit.TestDirectory;
import dev.torg.testkit.TestSite;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// From a saved search to a mail, a push and a call of a webhook, each sent to a server that speaks the protocol.
@Tag(TestTorg.OWN)
class DeliveryPathIT {
  /// Shorter than the tokens of callers live.
  private static final Duration TIMEOUT = Duration.ofSeconds(50);

  private static final String PUBLIC = "https://torg.example";
  private static final String CONTACTS = "/v1/contacts";

  private static final GreenMail MAIL = mailServer();
  private static final TestSite SITE = new TestSite();
  private static final List<JsonNode> PUSHES = new CopyOnWriteArrayList<>();
  private static final List<Call> CALLS = new CopyOnWriteArrayList<>();

  @RegisterExtension
  static final TestTorg TORG =
      new TestTorg(
          Map.of(
              Setting.MAIL_SMTP,
              "smtp://127.0.0.1:" + MAIL.getSmtp().getPort(),
              Setting.PUBLIC_URL,
              PUBLIC,
              Setting.PUSH_FCM_URL,
              SITE.at(""),
              Setting.PUSH_FCM_CREDENTIALS,
              serviceAccount().toString(),
              Setting.WEBHOOK_HOSTS,
              "127.0.0.1"));

  /// A call of a webhook.
  private record Call(String id, String timestamp, String signature, String body) {
    static Call of(HttpExchange exchange) throws IOException {
      return new Call(
          exchange.getRequestHeaders().getFirst("webhook-id"),
          exchange.getRequestHeaders().getFirst("webhook-timestamp"),
          exchange.getRequestHeaders().getFirst("webhook-signature"),
          received(exchange));
    }
  }

  private final TestUser admin = TORG.withRole("user:admin", Role.ADMIN);
  private final TestUser seller = TORG.user();
  private final TestUser buyer = TORG.user();

  private static GreenMail mailServer() {
    GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", "smtp"));
    server.start();
    return server;
  }

  /// The key of a service account for the local FCM.
  private static Path serviceAccount() {
    SITE.put(
        "/token",
        call -> TestSite.send(call, 200, bytes("{\"access_token\":\"t\",\"expires_in\":3600}")));
    SITE.put(
        "/v1/projects/torg-test/messages:send",
        call -> {
          PUSHES.add(TestTorg.JSON.readTree(received(call)).path("message"));
          TestSite.send(call, 200, bytes("{\"name\":\"projects/torg-test/messages/1\"}"));
        });
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      KeyPair keys = generator.generateKeyPair();
      String pem =
          "-----BEGIN PRIVATE KEY-----\n"
              + Base64.getMimeEncoder(64, new byte[] {'\n'})
                  .encodeToString(keys.getPrivate().getEncoded())
              + "\n-----END PRIVATE KEY-----\n";
      Map<String, String> account =
          Map.of(
              "type", "service_account",
              "project_id", "torg-test",
              "client_email", "push@torg-test.example",
              "token_uri", SITE.at("/token"),
              "private_key", pem);
      return Files.write(
          TestDirectory.create("fcm").resolve("account.json"),
          TestTorg.JSON.writeValueAsBytes(account));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String received(HttpExchange call) {
    try {
      return new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void stop() {
    SITE.close();
    MAIL.stop();
  }

  @Test
  void email_savedSearchMatches_sendsMailsUntilTheirLinkUnsubscribes() throws Exception {
    String address = verifiedMail();
    save("harpsichord", "EMAIL");
    String offer = TORG.publish(seller, "A harpsichord");
    MimeMessage mail = mails(address, 2).getLast();
    assertThat(mail.getSubject()).contains("harpsichord");
    MimeMultipart parts = (MimeMultipart) mail.getContent();
    String link = PUBLIC + "/offers/" + offer;
    assertThat((String) parts.getBodyPart(0).getContent()).contains(link);
    assertThat((String) parts.getBodyPart(1).getContent()).contains("href=\"" + link + "\"");
    assertThat((String) parts.getBodyPart(1).getContent()).doesNotContain("href=\"/");
    assertThat(mail.getHeader("List-Unsubscribe-Post"))
        .containsExactly("List-Unsubscribe=One-Click");
    String unsubscribe = mail.getHeader("List-Unsubscribe")[0];
    assertThat(unsubscribe).startsWith("<" + PUBLIC + "/v1/unsubscribe?t=").endsWith(">");
    String path = unsubscribe.substring(PUBLIC.length() + 1, unsubscribe.length() - 1);
    assertThat(oneClick(path).statusCode()).isEqualTo(200);

    String second = TORG.publish(seller, "Another harpsichord");
    String entry = entry(second).path("id").asText();
    String news = "news-" + buyer.subject();
    TORG.post(
            TORG.service(),
            "/v1/notifications",
            "{\"id\":\"%s\",\"recipients\":[\"%s\"],\"topic\":\"news\",\"content\":{\"title\":\"News\"},\"channels\":[\"EMAIL\"]}"
                .formatted(news, buyer.subject()))
        .ok();
    awaitOutcome(news, "EMAIL", "DELIVERED", "");
    assertThat(deliveries(entry)).isEmpty();
    assertThat(mails(address, 3)).hasSize(3);
    assertThat(mails(address).getLast().getSubject()).isEqualTo("News");
  }

  @Test
  void push_savedSearchMatches_isSentToTheDevice() {
    String token = "device-" + buyer.subject();
    TORG.post(
            buyer,
            "/v1/devices",
            "{\"kind\":\"FCM\",\"token\":\"%s\",\"platform\":\"android\"}".formatted(token))
        .ok();
    save("clavichord", "PUSH");
    String offer = TORG.publish(seller, "A clavichord");
    String id = entry(offer).path("id").asText();
    awaitOutcome(id, "PUSH", "DELIVERED", "");
    assertThat(PUSHES)
        .filteredOn(push -> push.path("token").asText().equals(token))
        .singleElement()
        .satisfies(
            push -> {
              assertThat(push.at("/data/id").asText()).isEqualTo(id);
              assertThat(push.at("/data/topic").asText()).isEqualTo("searches");
              assertThat(push.at("/data/link").asText()).isEqualTo(PUBLIC + "/offers/" + offer);
            });
  }

  @Test
  void webhook_savedSearchMatches_isCalledWithASignature() throws Exception {
    String url =
        SITE.put(
            "/hook",
            call -> {
              CALLS.add(Call.of(call));
              TestSite.send(call, 204, new byte[0]);
            });
    HttpReply contact = put(buyer, "WEBHOOK", url).ok();
    assertThat(contact.body().path("verified").asBoolean()).isTrue();
    save("virginal", "WEBHOOK");
    String offer = TORG.publish(seller, "A virginal");
    String id = entry(offer).path("id").asText();
    awaitOutcome(id, "WEBHOOK", "DELIVERED", "");
    assertThat(CALLS).hasSize(2);
    assertThat(CALLS)
        .allSatisfy(
            call -> assertThat(call.signature()).isEqualTo(signed(contact.text("secret"), call)));
    JsonNode body = TestTorg.JSON.readTree(CALLS.getLast().body());
    assertThat(body.path("id").asText()).isEqualTo(id);
    assertThat(body.at("/open/web").asText()).isEqualTo(PUBLIC + "/offers/" + offer);
  }

  @Test
  void deliveries_areForAdminsOnly() {
    String path = "/v1/notifications/1/deliveries";
    TORG.get(admin, path).ok();
    for (TestUser caller : List.of(buyer, TORG.anonymous(), TORG.moderator(), TORG.service())) {
      TORG.get(caller, path).failed(403, "role.missing");
    }
    TORG.get(unauthenticated(), path).failed(401, "token.missing");
  }

  private String verifiedMail() throws Exception {
    String address = "b%s@example.com".formatted(buyer.subject().replace("user:", ""));
    assertThat(put(buyer, "EMAIL", address).ok().body().path("verified").asBoolean()).isFalse();
    Matcher code = Pattern.compile("\\d{6}").matcher(mails(address, 1).getFirst().getSubject());
    assertThat(code.find()).isTrue();
    TORG.post(
            buyer,
            CONTACTS + ":verify",
            "{\"kind\":\"EMAIL\",\"code\":\"%s\"}".formatted(code.group()))
        .ok();
    return address;
  }

  private static HttpReply put(TestUser user, String kind, String address) {
    return TORG.put(
        user, CONTACTS, "{\"kind\":\"%s\",\"address\":\"%s\"}".formatted(kind, address));
  }

  private void save(String text, String channel) {
    TORG.post(
            buyer,
            "/v1/favorites/searches",
            "{\"query\":{\"text\":\"%s\"},\"settings\":{\"delivery\":\"INSTANT\",\"channels\":[\"%s\"]}}"
                .formatted(text, channel))
        .ok();
  }

  /// Waits until there are as many mails to the address, and returns all.
  private static List<MimeMessage> mails(String address, int count) {
    await().atMost(TIMEOUT).until(() -> mails(address).size() >= count);
    return mails(address);
  }

  private static List<MimeMessage> mails(String address) {
    return Arrays.stream(MAIL.getReceivedMessages()).filter(mail -> isTo(mail, address)).toList();
  }

  private static boolean isTo(MimeMessage mail, String address) {
    try {
      return mail.getRecipients(Message.RecipientType.TO)[0].toString().equals(address);
    } catch (MessagingException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The buyer's entry about an offer.
  private JsonNode entry(String offer) {
    return await()
        .atMost(TIMEOUT)
        .until(
            () ->
                TORG.get(buyer, "/v1/notifications")
                    .ok()
                    .body()
                    .path("notifications")
                    .valueStream()
                    .filter(entry -> entry.path("offerId").asText().equals(offer))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private void awaitOutcome(String id, String channel, String outcome, String reason) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () -> {
              JsonNode attempts = deliveries(id);
              assertThat(attempts).hasSize(1);
              assertThat(attempts.at("/0/channel").asText()).isEqualTo(channel);
              assertThat(attempts.at("/0/outcome").asText()).isEqualTo(outcome);
              assertThat(attempts.at("/0/reason").asText()).isEqualTo(reason);
              assertThat(attempts.at("/0/recipient").asText()).isEqualTo(buyer.subject());
            });
  }

  private JsonNode deliveries(String id) {
    String path = "/v1/notifications/%s/deliveries?recipient=%s";
    return TORG.get(admin, path.formatted(id, buyer.subject())).ok().body().path("deliveries");
  }

  private static HttpResponse<String> oneClick(String path) throws Exception {
    return TORG.client()
        .send(
            HttpRequest.newBuilder(TORG.uri(path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("List-Unsubscribe=One-Click"))
                .build(),
            BodyHandlers.ofString());
  }

  /// As a receiver computes it that uses Standard Webhooks.
  private static String signed(String secret, Call call) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(
          new SecretKeySpec(
              Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
      String content = call.id() + "." + call.timestamp() + "." + call.body();
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(bytes(content)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
