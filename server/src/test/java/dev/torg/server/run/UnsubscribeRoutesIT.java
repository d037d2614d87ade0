package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.unauthenticated;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.unsubscribe.SignedUnsubscribeLinks;
import dev.torg.server.run.TestTorg.TestUser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Links in mails, as scanners, browsers and mail clients call them.
class UnsubscribeRoutesIT {
  @RegisterExtension static final TestTorg TORG = TestTorg.shared();

  private static final String SETTINGS = "/v1/notifications/settings";
  private static final String ONE_CLICK = "List-Unsubscribe=One-Click";

  private final TestUser owner = TORG.user();

  @Test
  void get_link_showsThePageAndChangesNothing() throws Exception {
    JsonNode before = settings(owner);
    HttpResponse<String> page = get(link(owner));
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("content-type")).hasValue("text/html; charset=utf-8");
    assertThat(page.headers().firstValue("cache-control")).hasValue("no-store");
    assertThat(page.headers().firstValue("referrer-policy")).hasValue("no-referrer");
    assertThat(page.body())
        .contains("Stop receiving “New offers for saved searches” by e-mail?")
        .contains("<form method=\"post\">")
        .doesNotContain("<script");
    assertThat(settings(owner)).isEqualTo(before);
  }

  @Test
  void get_link_isInThePersonsLanguage() throws Exception {
    TORG.put(owner, SETTINGS, "{\"language\":\"ru\"}").ok();
    assertThat(get(link(owner)).body())
        .contains("<html lang=\"ru\">")
        .contains("Больше не получать «Новое по сохранённым поискам» по электронной почте?");
  }

  @Test
  void post_oneClick_mutesTheTopicOnTheChannel() throws Exception {
    TORG.put(owner, SETTINGS, "{\"digestHour\":7}").ok();
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> done = post(link(owner), ONE_CLICK);
      assertThat(done.statusCode()).isEqualTo(200);
      assertThat(done.body()).contains("You will no longer receive");
      assertThat(isMuted(owner)).isTrue();
    }
    JsonNode settings = settings(owner);
    assertThat(settings.at("/topics/searches/muted").asBoolean()).isFalse();
    assertThat(settings.at("/topics/searches/channels")).hasSize(1);
    assertThat(settings.path("digestHour").asInt()).isEqualTo(7);
  }

  @Test
  void call_forgedLink_isRefusedAndChangesNothing() throws Exception {
    String link = link(owner);
    String altered = link.substring(0, link.length() - 2) + "AA";
    String another = link(TORG.user());
    String mixed = another.substring(0, another.indexOf('.')) + link.substring(link.indexOf('.'));
    for (String forged : new String[] {altered, mixed, "/v1/unsubscribe", "/v1/unsubscribe?t=x"}) {
      TORG.get(unauthenticated(), forged).failed(400, "unsubscribe.link").invalid("t");
      TORG.post(unauthenticated(), forged, "{}").failed(400, "unsubscribe.link");
    }
    assertThat(isMuted(owner)).isFalse();
  }

  @Test
  void get_forgedLinkInABrowser_isAPage() throws Exception {
    HttpResponse<String> page =
        send(
            HttpRequest.newBuilder(TORG.uri("/v1/unsubscribe?t=x"))
                .header("Accept", "text/html,*/*")
                .header("Accept-Language", "ru-RU,ru;q=0.9"));
    assertThat(page.statusCode()).isEqualTo(400);
    assertThat(page.body()).contains("Ссылка не действует");
  }

  @Test
  void post_linkOfAnAnonymousIdentityAfterTheLogin_mutesForTheLogin() throws Exception {
    TestUser anonymous = TORG.anonymous();
    String link = link(anonymous);
    TORG.post(
            owner,
            "/v1/favorites:moveFromAnonymous",
            "{\"anonymousToken\":\"%s\"}".formatted(anonymous.token()))
        .ok();
    assertThat(get(link).statusCode()).isEqualTo(200);
    assertThat(isMuted(owner)).isFalse();
    assertThat(post(link, ONE_CLICK).statusCode()).isEqualTo(200);
    assertThat(isMuted(owner)).isTrue();
  }

  private static boolean isMuted(TestUser user) {
    return settings(user).at("/topics/searches/channels/EMAIL/muted").asBoolean();
  }

  private static JsonNode settings(TestUser user) {
    return TORG.get(user, SETTINGS).ok().body();
  }

  private static String link(TestUser user) {
    return new SignedUnsubscribeLinks(
            "", NotificationTopics.defaults(), TORG.messageAuthenticator())
        .link(user.subject(), NotificationTopics.SEARCHES, Channel.EMAIL);
  }

  private static HttpResponse<String> get(String link) throws Exception {
    return send(HttpRequest.newBuilder(TORG.uri(link)));
  }

  private static HttpResponse<String> post(String link, String form) throws Exception {
    URI address = TORG.uri(link);
    return send(
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form)));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return TORG.client().send(request.build(), BodyHandlers.ofString());
  }
}
