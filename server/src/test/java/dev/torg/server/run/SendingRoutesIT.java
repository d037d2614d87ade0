package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.await;
import static dev.torg.server.run.TestTorg.unauthenticated;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.platform.Caller.Role;
import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Sending and templates as other systems call them, through Kafka to the recipients' bells.
class SendingRoutesIT {
  @RegisterExtension static final TestTorg TORG = TestTorg.shared();

  private static final String SEND = "/v1/notifications";
  private static final AtomicLong IDS = new AtomicLong();

  private final TestUser service = TORG.service();
  private final TestUser recipient = TORG.user();

  private static String id() {
    return "n" + IDS.incrementAndGet();
  }

  private String request(String id, String more) {
    return "{\"id\":\"%s\",\"recipients\":[\"%s\"],\"topic\":\"news\"%s}"
        .formatted(id, recipient.subject(), more);
  }

  private static final String HELLO = ",\"content\":{\"title\":\"Hello\"}";

  private HttpReply received(TestUser user, int count) {
    await(
        count + " notifications",
        () -> TORG.get(user, SEND).ok().body().path("notifications").size() >= count);
    return TORG.get(user, SEND).ok();
  }

  @Test
  void send_completeContent_reachesTheBell() {
    TestUser anonymous = TORG.anonymous();
    String body =
        """
        {"id":"%s","recipients":["%s","%s"],"topic":"offers",
         "content":{"title":"Sold","text":"Your offer was sold",
           "attachments":[{"kind":"IMAGE","url":"https://torg.example/1.jpg"},
                          {"kind":"VIDEO","url":"https://torg.example/1.mp4","preview":"https://torg.example/2.jpg"}],
           "open":{"web":"https://torg.example/offers/1","android":"torg://offers/1","ios":"torg://offers/1",
                   "type":"offer","payload":{"id":"1"}},
           "buttons":[{"text":"Show","open":{"web":"https://torg.example/offers/1"}}],
           "iosCategory":"SALE"},
         "channels":["EMAIL","PUSH"],"expiresAt":"%s","minAppVersion":{"ios":"5.1"}}
        """
            .formatted(
                id(), recipient.subject(), anonymous.subject(), Instant.now().plusSeconds(3600));
    assertThat(TORG.post(service, SEND, body).ok().body().path("accepted").asInt()).isEqualTo(2);
    JsonNode entry = received(recipient, 1).body().at("/notifications/0");
    assertThat(entry.path("title").asText()).isEqualTo("Sold");
    assertThat(entry.path("topic").asText()).isEqualTo("offers");
    assertThat(entry.at("/attachments/1/preview").asText()).endsWith("2.jpg");
    assertThat(entry.path("media")).hasSize(2);
    assertThat(entry.at("/open/payload/id").asText()).isEqualTo("1");
    assertThat(entry.path("action").asText()).isEqualTo("https://torg.example/offers/1");
    assertThat(entry.at("/buttons/0/text").asText()).isEqualTo("Show");
    assertThat(entry.at("/buttons/0/title").asText()).isEqualTo("Show");
    assertThat(received(anonymous, 1).texts("notifications", "title")).containsExactly("Sold");
    assertThat(TORG.get(recipient, SEND + "/unreadCount").ok().body().path("total").asInt())
        .isEqualTo(1);
  }

  @Test
  void send_again_isANoOpAndWithAnotherBodyAConflict() {
    String id = id();
    HttpReply first = TORG.post(service, SEND, request(id, HELLO)).ok();
    assertThat(TORG.post(service, SEND, request(id, HELLO)).ok().body()).isEqualTo(first.body());
    TORG.post(service, SEND, request(id, ",\"content\":{\"title\":\"Other\"}"))
        .failed(409, "notification.id-reused");
    TORG.post(service, SEND, request(id(), ",\"content\":{\"title\":\"Last\"}")).ok();
    assertThat(received(recipient, 2).texts("notifications", "title"))
        .containsExactlyInAnyOrder("Hello", "Last");
  }

  @Test
  void send_invalid_isRefusedWithItsField() {
    TORG.post(service, SEND, "{}").invalid("id");
    TORG.post(service, SEND, request(id(), "")).invalid("content");
    TORG.post(service, SEND, request(id(), HELLO + ",\"channels\":[\"FAX\"]"))
        .invalid("channels[0]");
    TORG.post(service, SEND, request(id(), HELLO).replace("news", "lamps"))
        .failed(400, "topic.unknown")
        .invalid("topic");
    TORG.post(service, SEND, request(id(), HELLO).replace("user:", "lamp:"))
        .invalid("recipients[0]");
    TORG.post(
            service,
            SEND,
            request(
                id(),
                ",\"content\":{\"title\":\"a\",\"attachments\":[{\"kind\":\"AUDIO\",\"url\":\"https://x.example\"}]}"))
        .failed(400, "request.malformed");
    TORG.post(
            service,
            SEND,
            request(id(), ",\"content\":{\"title\":\"a\",\"open\":{\"type\":\"1 2\"}}"))
        .invalid("content.open.type");
    TORG.post(
            service, SEND, request(id(), ",\"content\":{\"title\":\"a\",\"iosCategory\":\"a b\"}"))
        .invalid("content.iosCategory");
    TORG.post(
            service,
            SEND,
            request(id(), ",\"content\":{\"title\":\"a\",\"open\":{\"web\":\"javascript:x\"}}"))
        .invalid("content.open.web");
    TORG.post(service, SEND, request(id(), HELLO + ",\"expiresAt\":\"2020-01-01T00:00:00Z\""))
        .invalid("expiresAt");
    // Of a much larger body the JDK's client may see the reset of its upload before the response.
    String large = "x".repeat(1_100_000);
    TORG.post(service, SEND, request(id(), ",\"content\":{\"title\":\"%s\"}".formatted(large)))
        .failed(400, "request.too-large");
    TORG.post(service, SEND, request(id(), HELLO)).ok();
    assertThat(received(recipient, 1).texts("notifications", "title")).containsExactly("Hello");
  }

  @Test
  void send_template_isRenderedAndVersioned() {
    String path = "/v1/templates/" + id();
    String template =
        """
        {"languages":{"en":{"title":"Sold: {{name}}","open":{"web":"https://torg.example/{{name}}"}},
                      "ru":{"title":"Продано: {{name}}"}},"params":["name"]}
        """;
    HttpReply put = TORG.put(service, path, template).ok();
    assertThat(put.body().path("version").asInt()).isEqualTo(1);
    assertThat(TORG.get(service, path).ok().body()).isEqualTo(put.body());
    assertThat(TORG.put(service, path, put.body().toString()).ok().body()).isEqualTo(put.body());
    HttpReply preview =
        TORG.post(
                service,
                path + ":preview",
                "{\"language\":\"en\",\"params\":{\"name\":\"<b>{{x}}\"}}")
            .ok();
    assertThat(preview.body().at("/content/title").asText()).isEqualTo("Sold: <b>{{x}}");
    assertThat(preview.body().at("/content/open/web").asText())
        .isEqualTo("https://torg.example/%3Cb%3E%7B%7Bx%7D%7D");
    String use = ",\"template\":{\"id\":\"%s\",\"params\":{\"name\":\"A car\"}}";
    TORG.put(recipient, "/v1/notifications/settings", "{\"language\":\"ru\"}").ok();
    TORG.post(service, SEND, request(id(), use.formatted(path.substring(14)))).ok();
    assertThat(received(recipient, 1).texts("notifications", "title"))
        .containsExactly("Продано: A car");
  }

  @Test
  void templates_invalid_areRefused() {
    String path = "/v1/templates/" + id();
    TORG.put(service, path, "{\"languages\":{\"en\":{\"title\":\"{{#a}}\"}},\"params\":[\"a\"]}")
        .failed(400, "template.invalid")
        .invalid("languages.en");
    TORG.put(service, path, "{\"languages\":{\"en\":{\"title\":\"{{a}}\"}}}")
        .invalid("languages.en");
    TORG.get(service, path).failed(404, "template.not-found");
    TORG.post(service, path + ":preview", "{}").failed(404, "template.not-found");
    TORG.put(service, path, "{\"languages\":{\"en\":{\"title\":\"{{a}}\"}},\"params\":[\"a\"]}")
        .ok();
    TORG.post(service, path + ":preview", "{\"params\":{\"b\":1}}").invalid("params.a");
    String use = ",\"template\":{\"id\":\"%s\",\"params\":{%s}}";
    TORG.post(service, SEND, request(id(), use.formatted("lamps", "")))
        .failed(400, "template.unknown");
    TORG.post(service, SEND, request(id(), use.formatted(path.substring(14), "")))
        .invalid("template.params.a");
    TORG.post(service, SEND, request(id(), use.formatted(path.substring(14), "\"a\":[\"x\"]")))
        .invalid("template.params.a");
    TORG.post(
            service, SEND, request(id(), use.formatted(path.substring(14), "\"a\":\"a\\u202eb\"")))
        .invalid("template.params.a");
    assertThat(TORG.get(recipient, SEND).ok().body().path("notifications")).isEmpty();
  }

  @Test
  void calls_withoutTheRoleOfAService_areRefused() {
    String template = "/v1/templates/x";
    String body = "{\"languages\":{\"en\":{\"title\":\"t\"}}}";
    for (TestUser caller :
        List.of(unauthenticated(), TORG.anonymous(), recipient, TORG.moderator())) {
      for (HttpReply reply :
          List.of(
              TORG.post(caller, SEND, request(id(), HELLO)),
              TORG.put(caller, template, body),
              TORG.get(caller, template),
              TORG.post(caller, template + ":preview", "{}"),
              TORG.post(caller, "/v1/campaigns", "{}"),
              TORG.get(caller, "/v1/campaigns/x"),
              TORG.post(caller, "/v1/campaigns/x:pause", "{}"))) {
        assertThat(reply.status()).isIn(401, 403);
      }
    }
    assertThat(TORG.get(recipient, SEND).ok().body().path("notifications")).isEmpty();
  }

  @Test
  void calls_ofAnAdmin_areAllowed() {
    TestUser admin = TORG.withRole("user:admin", Role.ADMIN);
    TORG.post(admin, SEND, request(id(), HELLO)).ok();
    TORG.put(admin, "/v1/templates/admin", "{\"languages\":{\"en\":{\"title\":\"t\"}}}").ok();
    TORG.get(admin, "/v1/templates/admin").ok();
    assertThat(received(recipient, 1).texts("notifications", "title")).containsExactly("Hello");
  }
}
