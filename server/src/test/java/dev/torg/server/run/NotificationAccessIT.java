package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.unauthenticated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Caller.Role;
import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Who may make each call about notifications. The requests are incomplete: they show only whether the caller passes.
@Tag(TestTorg.OWN)
class NotificationAccessIT {
  @RegisterExtension static final TestTorg TORG = new TestTorg();

  private static final String STREAM = "/v1/notifications/stream";

  private final TestUser admin = TORG.withRole("user:admin", Role.ADMIN);
  private final List<TestUser> people = List.of(TORG.anonymous(), TORG.user(), TORG.moderator());

  @ParameterizedTest
  @CsvSource({
    "GET, /v1/notifications",
    "GET, /v1/notifications/unreadCount",
    "POST, /v1/notifications:markRead",
    "GET, /v1/notifications/settings",
    "PUT, /v1/notifications/settings",
    "POST, /v1/devices",
    "GET, /v1/devices",
    "DELETE, /v1/devices?id=x",
    "DELETE, /v1/devices/x",
    "PUT, /v1/contacts",
    "GET, /v1/contacts",
    "DELETE, /v1/contacts?kind=EMAIL",
    "POST, /v1/contacts:verify"
  })
  void callsOfPeople_needAnyToken(String method, String path) {
    call(unauthenticated(), method, path).failed(401, "token.missing");
    people.forEach(person -> assertPasses(person, method, path));
    assertPasses(TORG.service(), method, path);
    assertPasses(admin, method, path);
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /v1/notifications",
    "PUT, /v1/templates/x",
    "GET, /v1/templates/x",
    "POST, /v1/templates/x:preview",
    "POST, /v1/campaigns",
    "GET, /v1/campaigns/x",
    "POST, /v1/campaigns/x/recipients",
    "POST, /v1/campaigns/x:start",
    "POST, /v1/campaigns/x:pause",
    "POST, /v1/campaigns/x:resume",
    "POST, /v1/campaigns/x:cancel"
  })
  void callsOfSenders_needRoleService(String method, String path) {
    call(unauthenticated(), method, path).failed(401, "token.missing");
    people.forEach(person -> call(person, method, path).failed(403, "role.missing"));
    assertPasses(TORG.service(), method, path);
    assertPasses(admin, method, path);
  }

  @Test
  void deliveries_needRoleAdmin() {
    String path = "/v1/notifications/1/deliveries";
    call(unauthenticated(), "GET", path).failed(401, "token.missing");
    people.forEach(person -> call(person, "GET", path).failed(403, "role.missing"));
    call(TORG.service(), "GET", path).failed(403, "role.missing");
    call(admin, "GET", path).ok();
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /v1/notifications/topics",
    "GET, /v1/unsubscribe?t=x",
    "POST, /v1/unsubscribe?t=x"
  })
  void callsWithoutLogin_needNoToken(String method, String path) {
    assertPasses(unauthenticated(), method, path);
    people.forEach(person -> assertPasses(person, method, path));
  }

  @Test
  void stream_needsAnyToken() throws IOException, InterruptedException {
    call(unauthenticated(), "GET", STREAM).failed(401, "token.missing");
    for (TestUser person : people) {
      try (NotificationRoutesIT.Events events = events(person)) {
        assertThat(events.next()).containsEntry("event", "unread");
      }
    }
  }

  private static NotificationRoutesIT.Events events(TestUser person)
      throws IOException, InterruptedException {
    return new NotificationRoutesIT.Events(
        TORG.client()
            .send(
                HttpRequest.newBuilder(TORG.uri(STREAM))
                    .header("Authorization", "Bearer " + person.token())
                    .build(),
                HttpResponse.BodyHandlers.ofInputStream()));
  }

  /// The development outbox is no part of an installation with a database of its own.
  @Test
  void developmentOutbox_isForbiddenToAll() {
    assertThat(call(unauthenticated(), "GET", "/dev/outbox").status()).isEqualTo(403);
    assertThat(call(admin, "GET", "/dev/outbox").status()).isEqualTo(403);
  }

  private static void assertPasses(TestUser caller, String method, String path) {
    HttpReply reply = call(caller, method, path);
    assertThat(reply.status()).as("%s", reply.body()).isNotIn(401, 403, 405, 500);
  }

  private static HttpReply call(TestUser caller, String method, String path) {
    return TORG.send(
        caller,
        method,
        path,
        Map.of("POST", "{}", "PUT", "{}").getOrDefault(method, ""),
        Map.of("Accept", "application/json"));
  }
}
