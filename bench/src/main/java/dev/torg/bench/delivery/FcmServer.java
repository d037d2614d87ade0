package dev.torg.bench.delivery;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/// Firebase Cloud Messaging (HTTP v1) on this machine: issues access tokens, and accepts messages or refuses them all.
/// It counts what it accepted as soon as a request has arrived, and may respond a little later, so that at any moment of a
/// busy sender messages are in flight.
public final class FcmServer implements AutoCloseable {
  static final String PROJECT = "torg-verify";

  private static final String ACCESS_TOKEN = "verify-delivery";
  private static final JsonFactory JSON = new JsonFactory();
  private static final String GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
  private static final String ACCEPTED = "{\"name\":\"projects/" + PROJECT + "/messages/";
  private static final String UNAVAILABLE =
      "{\"error\":{\"code\":503,\"status\":\"UNAVAILABLE\",\"details\":[{\"errorCode\":\"UNAVAILABLE\"}]}}";

  private final Map<Push, Integer> accepted = new ConcurrentHashMap<>();
  private final LongAdder refused = new LongAdder();
  private final Server server;
  private final Duration maxResponseTime;
  private volatile boolean isRefusing;

  /// A message to a device about an entry of the bell.
  public record Push(String deviceToken, String notificationId) {}

  /// @param maxResponseTime of the random times after which messages are accepted; zero: at once
  public FcmServer(Duration maxResponseTime) {
    this.maxResponseTime = maxResponseTime;
    server =
        Server.builder()
            .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .service("/token", (_, request) -> aggregated(request.aggregate(), FcmServer::token))
            .service(
                "/v1/projects/" + PROJECT + "/messages:send",
                (_, request) -> aggregated(request.aggregate(), this::send))
            .build();
    server.start().join();
  }

  private static HttpResponse aggregated(
      CompletableFuture<AggregatedHttpRequest> request,
      Function<AggregatedHttpRequest, HttpResponse> response) {
    return HttpResponse.of(request.thenApply(response));
  }

  public String url() {
    return "http://127.0.0.1:" + server.activeLocalPort();
  }

  /// Whether all messages are refused with 503 from now on.
  void refuse(boolean isRefused) {
    isRefusing = isRefused;
  }

  /// How often each message was accepted.
  public Map<Push, Integer> accepted() {
    return Map.copyOf(accepted);
  }

  /// The number of messages that were accepted at least once.
  public int acceptedMessages() {
    return accepted.size();
  }

  public long refused() {
    return refused.sum();
  }

  private static HttpResponse token(AggregatedHttpRequest request) {
    QueryParams form = QueryParams.fromQueryString(request.contentUtf8());
    if (!GRANT.equals(form.get("grant_type")) || form.get("assertion") == null) {
      return HttpResponse.of(HttpStatus.BAD_REQUEST);
    }
    return HttpResponse.of(
        HttpStatus.OK,
        MediaType.JSON,
        "{\"access_token\":\"%s\",\"expires_in\":3600,\"token_type\":\"Bearer\"}",
        ACCESS_TOKEN);
  }

  private HttpResponse send(AggregatedHttpRequest request) {
    if (!("Bearer " + ACCESS_TOKEN).equals(request.headers().get(HttpHeaderNames.AUTHORIZATION))) {
      return HttpResponse.of(HttpStatus.UNAUTHORIZED);
    }
    return push(request.content().array())
        .map(push -> isRefusing ? refusal() : acceptance(push))
        .orElseGet(() -> HttpResponse.of(HttpStatus.BAD_REQUEST));
  }

  /// Empty unless the message names a device and an entry. Builds no tree, because this shares a machine with the sender
  /// that it measures.
  private static Optional<Push> push(byte[] body) {
    String device = "";
    String id = "";
    try (JsonParser json = JSON.createParser(body)) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.VALUE_STRING) {
          device = isAt(json, "message", "token") ? json.getText() : device;
          id = isAt(json, "data", "id") ? json.getText() : id;
        }
      }
    } catch (IOException e) {
      return Optional.empty();
    }
    return device.isEmpty() || id.isEmpty() ? Optional.empty() : Optional.of(new Push(device, id));
  }

  private static boolean isAt(JsonParser json, String object, String field) {
    JsonStreamContext at = json.getParsingContext();
    return field.equals(at.getCurrentName())
        && at.getParent() != null
        && object.equals(at.getParent().getCurrentName());
  }

  private HttpResponse refusal() {
    refused.increment();
    return HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE, MediaType.JSON, UNAVAILABLE);
  }

  private HttpResponse acceptance(Push push) {
    accepted.merge(push, 1, Integer::sum);
    HttpResponse response =
        HttpResponse.of(
            HttpStatus.OK,
            MediaType.JSON,
            HttpData.ofAscii(ACCEPTED + push.notificationId() + "\"}"));
    if (maxResponseTime.isZero()) {
      return response;
    }
    long nanos = ThreadLocalRandom.current().nextLong(maxResponseTime.toNanos());
    return HttpResponse.delayed(response, Duration.ofNanos(nanos));
  }

  @Override
  public void close() {
    server.stop().join();
  }
}
