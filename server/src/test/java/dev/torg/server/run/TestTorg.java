package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.identity.MessageAuthenticator;
import dev.torg.platform.identity.TokenService;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.SettingValues;
import dev.torg.testkit.AtExit;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestDirectory;
import dev.torg.testkit.TestKafka;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A whole Torg on real servers, called as clients call it: JSON over HTTP.
final class TestTorg implements BeforeAllCallback, AfterAllCallback {
  /// The tag of classes that start a Torg of their own. They run in other JVMs than those that share one: a Kafka
  /// serves one Torg, whose topics and consumer groups have fixed names.
  static final String OWN = "own-torg";

  static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(5);
  private static final AtomicLong USERS = new AtomicLong(System.nanoTime());

  private final TestDatabase database = TestDatabase.empty();

  private final HttpClient client = HttpClient.newHttpClient();

  private final Path data = TestDirectory.create("test");
  private final boolean isShared;
  private final Configuration configuration;
  private final TokenService tokens;
  private Optional<Torg> torg = Optional.empty();
  private Optional<DocumentedErrors> errors = Optional.empty();

  TestTorg() {
    this(Map.of());
  }

  /// With settings in addition to the necessary ones.
  TestTorg(Map<Setting, String> more) {
    this(false, more);
  }

  private TestTorg(boolean isShared, Map<Setting, String> more) {
    this.isShared = isShared;
    Map<Setting, String> settings = new EnumMap<>(Setting.class);
    settings.put(Setting.DATA, data.toString());
    settings.put(Setting.PORT, "0");
    settings.put(Setting.DB, database.url());
    settings.put(Setting.KAFKA, TestKafka.servers());
    settings.put(Setting.ALLOW_WEAK_KAFKA, "true");
    settings.putAll(more);
    configuration = Configuration.of(SettingValues.read(settings, Map.of(), Optional.empty()));
    tokens = TokenServiceFactory.open(configuration);
  }

  /// Holds the shared server from the first use to the end of the JVM.
  private static final class Shared {
    static final TestTorg TORG = new TestTorg(true, Map.of());

    private Shared() {}
  }

  /// One for all test classes of a JVM that need neither settings nor an empty database: a start takes longer than
  /// most of their tests. They share no users, and search for words that no other class publishes.
  static TestTorg shared() {
    return Shared.TORG;
  }

  /// A caller with a token.
  record TestUser(String subject, String token) {}

  /// An HTTP response. Fields of a problem are addressed by path.
  record HttpReply(int status, JsonNode body) {
    HttpReply ok() {
      assertThat(status).as("%s", body).isEqualTo(200);
      return this;
    }

    HttpReply failed(int expected, String code) {
      assertThat(status).as("%s", body).isEqualTo(expected);
      assertThat(body.path("code").asText()).as("%s", body).isEqualTo(code);
      assertThat(body.path("requestId").asText()).isNotEmpty();
      return this;
    }

    HttpReply invalid(String field) {
      assertThat(status).as("%s", body).isEqualTo(400);
      assertThat(body.path("violations").findValuesAsText("field")).as("%s", body).contains(field);
      return this;
    }

    String text(String field) {
      return body.path(field).asText();
    }

    List<String> texts(String list, String field) {
      return StreamSupport.stream(body.path(list).spliterator(), false)
          .map(item -> item.path(field).asText())
          .toList();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (!isShared && !context.getTags().contains(OWN)) {
      throw new IllegalStateException("a class that starts a Torg of its own needs the tag " + OWN);
    }
    start();
  }

  /// Classes that share it run concurrently.
  private synchronized void start() {
    if (torg.isPresent()) {
      return;
    }
    torg = Optional.of(Torg.start(configuration, progress -> {}));
    errors = Optional.of(new DocumentedErrors(get(unauthenticated(), "/openapi.json").body()));
    if (isShared) {
      AtExit.run(this::close);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (!isShared) {
      close();
    }
  }

  private void close() {
    torg.ifPresent(Torg::close);
    client.close();
    database.close();
  }

  void stop() {
    torg.orElseThrow().close();
  }

  String databaseUrl() {
    return database.url();
  }

  Path data() {
    return data;
  }

  MessageAuthenticator messageAuthenticator() {
    return tokens.messageAuthenticator();
  }

  HttpClient client() {
    return client;
  }

  URI uri(String path) {
    return URI.create(torg.orElseThrow().running().address() + path);
  }

  /// A new user.
  TestUser user() {
    String subject = "user:" + USERS.incrementAndGet();
    return new TestUser(subject, tokens.issue(subject, Set.of(Role.USER), TIMEOUT).token());
  }

  TestUser moderator() {
    String subject = "user:" + USERS.incrementAndGet();
    Set<Role> roles = Set.of(Role.USER, Role.MODERATOR);
    return new TestUser(subject, tokens.issue(subject, roles, TIMEOUT).token());
  }

  TestUser service() {
    return new TestUser(
        "service:test", tokens.issue("service:test", Set.of(Role.SERVICE), TIMEOUT).token());
  }

  TestUser withRole(String subject, Role role) {
    return new TestUser(subject, tokens.issue(subject, Set.of(role), TIMEOUT).token());
  }

  TestUser anonymous() {
    var issued = tokens.issueAnonymous();
    return new TestUser(issued.subject(), issued.token());
  }

  HttpReply get(TestUser user, String path) {
    return send(user, "GET", path, "", Map.of());
  }

  HttpReply post(TestUser user, String path, String body) {
    return send(user, "POST", path, body, Map.of());
  }

  HttpReply patch(TestUser user, String path, String body) {
    return send(user, "PATCH", path, body, Map.of());
  }

  HttpReply put(TestUser user, String path, String body) {
    return send(user, "PUT", path, body, Map.of());
  }

  HttpReply delete(TestUser user, String path) {
    return send(user, "DELETE", path, "", Map.of());
  }

  HttpReply send(
      TestUser user, String method, String path, String body, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .timeout(TIMEOUT)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!user.token().isEmpty()) {
      request.header("Authorization", "Bearer " + user.token());
    }
    headers.forEach(request::header);
    return send(request.build());
  }

  HttpReply sendBytes(TestUser user, String path, byte[] body) {
    return send(
        HttpRequest.newBuilder(uri(path))
            .timeout(TIMEOUT)
            .header("Authorization", "Bearer " + user.token())
            .POST(BodyPublishers.ofByteArray(body))
            .build());
  }

  /// A form with one file of the given name.
  HttpReply upload(
      TestUser user, String path, String name, byte[] file, Map<String, String> headers) {
    String boundary = "torg" + USERS.incrementAndGet();
    String start =
        "--%s\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\nContent-Type: text/plain\r\n\r\n"
            .formatted(boundary, boundary, name);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .timeout(TIMEOUT)
            .header("Content-Type", "multipart/form-data; boundary=" + boundary)
            .POST(
                BodyPublishers.concat(
                    BodyPublishers.ofString(start),
                    BodyPublishers.ofByteArray(file),
                    BodyPublishers.ofString("\r\n--" + boundary + "--\r\n")));
    if (!user.token().isEmpty()) {
      request.header("Authorization", "Bearer " + user.token());
    }
    headers.forEach(request::header);
    return send(request.build());
  }

  private HttpReply send(HttpRequest request) {
    try {
      var response = client.send(request, BodyHandlers.ofString());
      JsonNode body = JSON.readTree(response.body());
      errors.ifPresent(
          documented ->
              documented.check(
                  request.method(), request.uri().getPath(), response.statusCode(), body));
      return new HttpReply(response.statusCode(), body);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(request.method() + " " + request.uri(), e);
    }
  }

  static TestUser unauthenticated() {
    return new TestUser("", "");
  }

  /// Publishes an offer and returns its id.
  String publish(TestUser seller, String title) {
    return publish(seller, title, "electronics", "de/hessen");
  }

  String publish(TestUser seller, String title, String category, String region) {
    return post(
            seller,
            "/v1/offers",
            "{\"offer\":{\"category\":\"%s\",\"title\":\"%s\",\"region\":\"%s\",\"price\":{\"amount\":\"5000\",\"currency\":\"EUR\"}}}"
                .formatted(category, title, region))
        .ok()
        .text("id");
  }

  /// A JSON object with one list of texts.
  static String list(String field, List<String> values) {
    return JSON.createObjectNode().set(field, JSON.valueToTree(values)).toString();
  }

  static void await(String name, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(name).isLessThan(deadline);
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }
}
