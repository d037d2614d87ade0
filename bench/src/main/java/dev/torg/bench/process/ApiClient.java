package dev.torg.bench.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.platform.Failure;
import dev.torg.server.run.RunningInstance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A client of Torg's JSON API, as any user of it would write one.
public final class ApiClient implements AutoCloseable {
  public static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient http;
  private final String address;
  private final Optional<String> token;

  public ApiClient(String address) {
    this(HttpClient.newHttpClient(), address, Optional.empty());
  }

  private ApiClient(HttpClient http, String address, Optional<String> token) {
    this.http = http;
    this.address = address;
    this.token = token;
  }

  /// A client of the Torg that runs on this data directory.
  public static ApiClient ofRunning(Path data) {
    return RunningInstance.read(data)
        .map(running -> new ApiClient(running.address()))
        .orElseThrow(
            () ->
                Failure.unavailable(
                    "torg.not-running",
                    "no Torg runs on " + data + "; start it with: ./torg up",
                    null));
  }

  /// The same client, logged in by the development login. Closing either closes both.
  public ApiClient loggedInAs(String userId) {
    return with(token(userId));
  }

  /// A token of the development login.
  public String token(String userId) {
    return post("/v1/login", JSON.createObjectNode().put("userId", userId)).path("token").asText();
  }

  public ApiClient with(String otherToken) {
    return new ApiClient(http, address, Optional.of(otherToken));
  }

  public String address() {
    return address;
  }

  public JsonNode get(String path) {
    return send("GET", path, null, Map.of());
  }

  public JsonNode post(String path, JsonNode body) {
    return send("POST", path, body, Map.of());
  }

  /// Publishes an offer of which only the title matters. Returns its id.
  public String publish(String title) {
    ObjectNode request = JSON.createObjectNode();
    request.putObject("offer").put("category", "electronics").put("title", title);
    return post("/v1/offers", request).path("id").asText();
  }

  /// Saves a search for words, in the category of [#publish].
  public void search(String text) {
    ObjectNode request = JSON.createObjectNode();
    request.putObject("query").put("category", "electronics").put("text", text);
    post("/v1/favorites/searches", request);
  }

  /// @param seller as a subject: `user:42`
  public void follow(String seller) {
    ObjectNode request = JSON.createObjectNode();
    request.putArray("sellerIds").add(seller);
    post("/v1/favorites/sellers:add", request);
  }

  public JsonNode send(
      String method, String path, @Nullable JsonNode body, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + path)).timeout(TIMEOUT);
    request.method(
        method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
    request.header("Content-Type", "application/json");
    token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
    headers.forEach(request::header);
    HttpResponse<String> response = exchange(request.build());
    JsonNode json = parse(response.body());
    if (response.statusCode() >= 400) {
      throw failure(response.statusCode(), json);
    }
    return json;
  }

  /// Sends a body that may be of any length, for as long as it takes.
  public JsonNode upload(String path, HttpRequest.BodyPublisher body) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path)).POST(body);
    token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
    HttpResponse<String> response = exchange(request.build());
    JsonNode json = parse(response.body());
    if (response.statusCode() >= 400) {
      throw failure(response.statusCode(), json);
    }
    return json;
  }

  private HttpResponse<String> exchange(HttpRequest request) {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "no response from " + request.uri() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.unavailable("interrupted", "interrupted", e);
    }
  }

  public static JsonNode parse(String body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw Failure.unavailable("answer.not-json", "the response is not JSON", e);
    }
  }

  private static Failure failure(int status, JsonNode problem) {
    StringBuilder text = new StringBuilder(problem.path("detail").asText("HTTP " + status));
    problem
        .path("violations")
        .forEach(
            v ->
                text.append("; ")
                    .append(v.path("field").asText())
                    .append(' ')
                    .append(v.path("message").asText()));
    return Failure.of(kind(status), problem.path("code").asText("http." + status), text.toString());
  }

  private static Failure.Kind kind(int status) {
    return switch (status) {
      case 401 -> Failure.Kind.UNAUTHENTICATED;
      case 403 -> Failure.Kind.FORBIDDEN;
      case 404 -> Failure.Kind.NOT_FOUND;
      case 409 -> Failure.Kind.CONFLICT;
      case 429 -> Failure.Kind.EXHAUSTED;
      default -> status >= 500 ? Failure.Kind.UNAVAILABLE : Failure.Kind.INVALID;
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
