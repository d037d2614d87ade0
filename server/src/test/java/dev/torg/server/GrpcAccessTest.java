package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import dev.torg.api.v1.CallerKind;
import dev.torg.server.RunningServer.Reply;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A call is authorized before anything of its request is read, over every protocol.
class GrpcAccessTest {
  static RunningServer torg;

  @BeforeAll
  static void start() {
    HttpRoute upload =
        new HttpRoute(
            HttpMethod.POST,
            "/plain/upload",
            List.of(CallerKind.USER),
            RouteDoc.of("test", "Tests", "test"),
            (_, request) ->
                HttpResponse.of(request.aggregate().thenApply(_ -> HttpResponse.of("done"))));
    torg = new RunningServer(ServerConfig.local(0), List.of(upload), List.of());
  }

  @AfterAll
  static void stop() {
    torg.close();
  }

  /// Announces a body and never sends it.
  @ParameterizedTest
  @CsvSource({
    "/v1/offers, application/json, :status 401",
    "/plain/upload, text/plain, :status 401",
    "/torg.v1.OfferService/PublishOffer, application/json, :status 401",
    "/torg.v1.OfferService/PublishOffer, application/grpc-web+proto, grpc-status: 16",
  })
  void refusedCaller_isRefusedByTheHeadersAlone(String path, String type, String response)
      throws IOException {
    try (Socket socket = new Socket("127.0.0.1", torg.server.port())) {
      socket.setSoTimeout(10_000);
      String request =
          "POST "
              + path
              + " HTTP/1.1\r\nHost: x\r\nContent-Type: "
              + type
              + "\r\nContent-Length: 1000\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(headers(socket)).contains(response);
    }
  }

  /// The body is also too long: the caller is checked first.
  @ParameterizedTest
  @CsvSource({
    "/v1/offers, application/json, :status 401, :status 400",
    "/plain/upload, text/plain, :status 401, :status 400",
    "/torg.v1.OfferService/PublishOffer, application/json, :status 401, :status 400",
  })
  void tooLongBody_isRefusedForTheCallerFirst(
      String path, String type, String unauthenticated, String authenticated) throws IOException {
    assertThat(announce(path, type, "")).contains(unauthenticated);
    assertThat(announce(path, type, "Authorization: Bearer " + torg.user() + "\r\n"))
        .contains(authenticated);
  }

  private static List<String> announce(String path, String type, String header) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", torg.server.port())) {
      socket.setSoTimeout(10_000);
      String request =
          "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: 90000000\r\n%s\r\n"
              .formatted(path, type, header);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return headers(socket);
    }
  }

  /// A client that keeps sending after the headers must still receive the reason for the refusal.
  @ParameterizedTest
  @CsvSource({"/v1/offers", "/plain/upload", "/torg.v1.OfferService/PublishOffer"})
  void refusedPost_overHttp2_isRefusedAfterItsBody(String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(torg.server.uri().resolve(path))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString("x".repeat(50_000)))
              .build();
      for (int i = 0; i < 50; i++) {
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
      }
    }
  }

  static List<String> headers(Socket socket) throws IOException {
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    List<String> lines = new java.util.ArrayList<>();
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      lines.add(
          line.startsWith("HTTP/1.1")
              ? ":status " + line.split(" ", -1)[1]
              : line.toLowerCase(Locale.ROOT));
    }
    return lines;
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/offers, {",
    "/v1/offers, {\"nope\":1}",
    "/v1/offers/%ff%fe:withdraw, {}",
    "/v1/offers/1:withdraw?reason=x, {}",
    "/torg.v1.OfferService/PublishOffer, {",
  })
  void malformedRequest_withoutToken_isUnauthenticatedNotInvalid(String path, String body) {
    Reply reply = torg.post(path, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(401);
    assertThat(reply.json().get("code").asText()).isEqualTo("token.missing");
    assertThat(torg.post(path, body, "Authorization", "Bearer " + torg.user()).status())
        .isEqualTo(400);
  }

  @Test
  void largeBody_ofARefusedCaller_isNotAccepted_andTheResponseArrives() {
    Reply reply = torg.sendBytes("POST", "/v1/offers", new byte[7 << 20]);
    assertThat(reply.status()).as(reply.body()).isEqualTo(401);
  }

  @Test
  void malformedRequest_isMeasuredAsInvalid() {
    torg.post("/v1/offers", "{", "Authorization", "Bearer " + torg.user());
    assertThat(torg.get("/metrics").body())
        .containsPattern(
            "torg_calls_seconds_count\\{method=\"torg.v1.OfferService/PublishOffer\",outcome=\"INVALID\"} [1-9]");
  }
}
