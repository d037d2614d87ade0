package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Preset;
import dev.torg.platform.Caller.Role;
import dev.torg.server.RunningServer.Reply;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// JSON over HTTP as clients see it.
class JsonTest {
  static RunningServer torg;
  static String[] user;

  @BeforeAll
  static void start() {
    torg = new RunningServer();
    user = new String[] {"Authorization", "Bearer " + torg.user()};
  }

  @AfterAll
  static void stop() {
    torg.close();
  }

  @BeforeEach
  void responseWithTheId() {
    torg.offers.next =
        id -> CompletableFuture.supplyAsync(() -> Offer.newBuilder().setId(id).build());
  }

  static JsonNode assertInvalid(Reply reply, String field) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.header("content-type")).startsWith("application/problem+json");
    assertThat(reply.json().get("title").asText()).isEqualTo("Invalid request");
    if (field != null) {
      assertThat(reply.json().at("/violations/0/field").asText()).isEqualTo(field);
    }
    return reply.json();
  }

  @Test
  void get_offer_printsZeroValuesAndLongsAsStrings() {
    torg.offers.next =
        id -> CompletableFuture.completedFuture(Offer.newBuilder().setId(id).build());
    JsonNode offer = torg.get("/v1/offers/123").json();
    assertThat(offer.get("id").asText()).isEqualTo("123");
    assertThat(offer.get("title").asText()).isEmpty();
    assertThat(offer.get("version").isTextual()).isTrue();
    assertThat(offer.get("version").asText()).isEqualTo("0");
    assertThat(offer.get("status").asText()).isEqualTo("STATUS_UNSPECIFIED");
    assertThat(offer.get("photos").isArray()).isTrue();
    assertThat(offer.get("attributes").isObject()).isTrue();
    assertThat(offer.has("price")).isFalse();
    assertThat(offer.get("banReasons")).isEmpty();
  }

  @Test
  void post_attributesOfEveryKind_areStored() {
    Reply reply =
        torg.post(
            "/v1/offers",
            """
            {"offer":{"category":"cars","price":{"amount":"129900","currency":"EUR"},
             "attributes":{"brand":"Лада \\"x\\"","year":2015,"damaged":false,"tags":["a","b"],"areaM2":12.5}}}
            """,
            user);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    JsonNode attributes = reply.json().get("attributes");
    assertThat(attributes.get("brand").asText()).isEqualTo("Лада \"x\"");
    assertThat(attributes.get("year").asInt()).isEqualTo(2015);
    assertThat(reply.body()).contains("\"year\":2015").doesNotContain("2015.0");
    assertThat(attributes.get("damaged").isBoolean()).isTrue();
    assertThat(attributes.get("tags").get(1).asText()).isEqualTo("b");
    assertThat(attributes.get("areaM2").asDouble()).isEqualTo(12.5);
    assertThat(reply.json().at("/price/amount").asText()).isEqualTo("129900");
    assertThat(reply.json().get("sellerId").asText()).isEqualTo("user:42");
  }

  @Test
  void post_numbersWhereLongsAreExpected_areAccepted() {
    Reply reply =
        torg.post(
            "/v1/offers", "{\"offer\":{\"price\":{\"amount\":5,\"currency\":\"EUR\"}}}", user);
    assertThat(reply.json().at("/price/amount").asText()).isEqualTo("5");
  }

  @Test
  void post_verbWithoutBody_works() {
    Reply reply = torg.post("/v1/offers/123:withdraw", null, user);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.json().get("status").asText()).isEqualTo("WITHDRAWN");
    assertThat(reply.json().get("id").asText()).isEqualTo("123");
  }

  @Test
  void post_verbWithEmptyJson_works() {
    assertThat(torg.post("/v1/offers/123:withdraw", "{}", user).status()).isEqualTo(200);
    assertThat(torg.post("/v1/offers/123:withdraw", "", user).status()).isEqualTo(200);
  }

  @Test
  void post_optionalFields_distinguishMissingFromZero() {
    torg.post("/v1/offers/1:markSold", "{}", user);
    assertThat(torg.offers.sold.hasSoldHere()).isFalse();
    torg.post("/v1/offers/1:markSold", "{\"soldHere\":false}", user);
    assertThat(torg.offers.sold.hasSoldHere()).isTrue();
    torg.send("PUT", "/v1/offers/7", "{\"offer\":{\"title\":\"T\"},\"version\":\"0\"}", user);
    assertThat(torg.offers.updated.hasVersion()).isTrue();
    assertThat(torg.offers.updated.getId()).isEqualTo("7");
  }

  @Test
  void put_idInBodyAndPath_pathWins() {
    torg.send("PUT", "/v1/offers/7", "{\"id\":\"8\",\"offer\":{}}", user);
    assertThat(torg.offers.updated.getId()).isEqualTo("7");
  }

  @Test
  void post_bytes_areBase64() {
    Reply reply =
        torg.send(
            "PUT",
            "/v1/offers/7/stages/check",
            "{\"data\":\"aGk=\"}",
            "Authorization",
            "Bearer " + torg.service());
    assertThat(reply.json().get("data").asText()).isEqualTo("aGk=");
    assertThat(reply.json().get("version").asText()).isEqualTo("1");
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/sellers/user:42/offers, user:42",
    "/v1/sellers/user%3A42/offers, user:42",
    "/v1/sellers/a%20b+c/offers, a b+c",
    "/v1/sellers/me/offers, me",
    "/v1/sellers/user:withdraw/offers, user:withdraw",
    "/v1/sellers/%D0%BF/offers, п",
    "/v1/sellers/a%2Fb/offers, a/b",
  })
  void get_sellerWithColonsAndEscapes_isOneValue(String path, String seller) {
    Reply reply = torg.get(path);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(torg.dashboard.listed.getSeller()).isEqualTo(seller);
  }

  @Test
  void get_offerWhoseIdEndsLikeAVerb_isNoVerb() {
    assertThat(torg.get("/v1/offers/user:withdraw").json().get("id").asText())
        .isEqualTo("user:withdraw");
  }

  @Test
  void post_verbAfterIdWithColon_isTheLastPart() {
    Reply reply = torg.post("/v1/offers/a:b:withdraw", null, user);
    assertThat(reply.json().get("id").asText()).isEqualTo("a:b");
  }

  @Test
  void post_escapedColonBeforeVerbName_isNoVerb() {
    assertThat(torg.post("/v1/offers/123%3Awithdraw", null, user).status()).isEqualTo(405);
  }

  @Test
  void post_verbAfterLiteral_isItsOwnAddress() {
    Reply reply =
        torg.post("/v1/offers:batchAct", "{\"ids\":[\"1\",\"2\"],\"action\":\"PROLONG\"}", user);
    assertThat(reply.json().at("/results/1/code").asText()).isEqualTo("OK");
  }

  @Test
  void get_queryParameters_areReadByType() {
    torg.get("/v1/sellers/me/offers?preset=SOLD&externalId=a%26b&pageSize=7&pageToken=x");
    assertThat(torg.dashboard.listed.getPreset()).isEqualTo(Preset.Name.SOLD);
    assertThat(torg.dashboard.listed.getExternalId()).isEqualTo("a&b");
    assertThat(torg.dashboard.listed.getPageSize()).isEqualTo(7);
    assertThat(torg.dashboard.listed.getPageToken()).isEqualTo("x");
  }

  @ParameterizedTest
  @CsvSource({
    "preset=NOPE, preset",
    "pageSize=seven, pageSize",
    "pageSize=1&pageSize=2, pageSize",
    "colour=red, colour",
    "seller=other, seller",
    "pageSize.x=1, pageSize.x",
  })
  void get_badQueryParameter_isInvalidWithItsName(String query, String field) {
    assertInvalid(torg.get("/v1/sellers/me/offers?" + query), field);
  }

  @Test
  void post_queryWithWholeBody_isInvalid() {
    assertInvalid(torg.post("/v1/offers/1:withdraw?reason=x", null, user), "reason");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"offer\":{\"colour\":1}} | offer.colour",
        "{\"nope\":1} | nope",
        "{\"offer\":{\"title\":{}}} | offer.title",
        "{\"offer\":{\"title\":[\"x\"]}} | offer.title",
        "{\"offer\":{\"price\":{\"amount\":\"many\"}}} | offer.price.amount",
        "{\"offer\":{\"price\":{\"amount\":1.5}}} | offer.price.amount",
        "{\"offer\":{\"price\":7}} | offer.price",
        "{\"offer\":{\"status\":\"NOPE\"}} | offer.status",
        "{\"offer\":{\"createdAt\":\"yesterday\"}} | offer.createdAt",
        "{\"offer\":{\"photos\":[{\"id\":\"a\"},{\"colour\":1}]}} | offer.photos[1].colour",
        "{\"offer\":{\"photos\":[7]}} | offer.photos[0]",
        "{\"offer\":7} | offer",
        "{\"offer\":{\"title\":5}} | offer.title",
        "{\"offer\":{\"banReasons\":\"x\"}} | offer.banReasons",
        "{\"offer\":{\"banReasons\":[1]}} | offer.banReasons[0]",
        "{\"offer\":{\"attributes\":[]}} | offer.attributes",
        "{\"offer\":[{}]} | offer",
      })
  void post_wrongField_isInvalidWithItsPath(String body, String field) {
    assertInvalid(torg.post("/v1/offers", body, user), field);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[]",
        "7",
        "nonsense",
        "{'offer':{}}",
        "{offer:{}}",
        "{} {}",
        "{}x",
        "{\"offer\":{},}",
        "{\"offer\":{},\"offer\":{}}",
        "\"{}\"",
        "null",
        "{\"offer\":NaN}",
        "{\"a\":\"\u0001\"}"
      })
  void post_malformedJson_isInvalid(String body) {
    assertInvalid(torg.post("/v1/offers", body, user), null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"offer\":{\"title\":\"x\" | offer.title | ends too early, line 1, column 22",
        "{\"offer\":{\"banReasons\":[1,,2]}} | offer.banReasons[1] | is not JSON, line 1, column 27",
        "{\"offer\":{},\"offer\":{}} | offer | has a name that is given twice, line 1, column 20",
        "{} {} | '' | has something after its end, line 1, column 4",
      })
  void post_malformedJson_reportsWhereAndWhyInOurOwnTerms(
      String body, String field, String message) {
    JsonNode problem = assertInvalid(torg.post("/v1/offers", body, user), null);
    assertThat(problem.at("/violations/0/field").asText()).isEqualTo(field);
    assertThat(problem.at("/violations/0/message").asText()).isEqualTo(message);
  }

  @Test
  void post_packedBody_isInvalidAndReportsWhy() {
    Reply reply =
        torg.post(
            "/v1/offers",
            "{}",
            "Authorization",
            "Bearer " + torg.user(),
            "Content-Encoding",
            "gzip");
    JsonNode problem = assertInvalid(reply, "Content-Encoding");
    assertThat(problem.get("code").asText()).isEqualTo("request.encoding");
  }

  @Test
  void post_halfACharacter_isInvalid() {
    Reply reply = torg.post("/v1/offers", "{\"offer\":{\"title\":\"Smile \\ud83d\"}}", user);
    assertThat(assertInvalid(reply, "offer.title").at("/violations/0/message").asText())
        .isEqualTo("must be text of whole characters");
  }

  @Test
  void post_unknownEnumValue_listsTheKnownOnes() {
    Reply reply = torg.post("/v1/offers", "{\"offer\":{\"status\":\"GONE\"}}", user);
    assertThat(assertInvalid(reply, "offer.status").at("/violations/0/message").asText())
        .startsWith("must be one of ACTIVE, ");
  }

  @Test
  void post_deeplyNestedJson_isInvalidNotACrash() {
    String deep =
        "{\"offer\":{\"attributes\":{\"a\":" + "[".repeat(5000) + "]".repeat(5000) + "}}}";
    assertInvalid(torg.post("/v1/offers", deep, user), null);
  }

  @Test
  void post_brokenUtf8_isInvalid() {
    byte[] body = "{\"offer\":{\"title\":\"x?\"}}".getBytes(StandardCharsets.UTF_8);
    body[20] = (byte) 0xff;
    assertInvalid(torg.sendBytes("POST", "/v1/offers", body, user), null);
  }

  @Test
  void get_brokenEscapes_areInvalid() {
    Reply reply = torg.get("/v1/offers/%ff%fe");
    assertInvalid(reply, "id");
  }

  @Test
  void put_badEscape_isInvalid() throws IOException {
    String response =
        raw(
            "PUT /v1/offers/%zz HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n"
                + user[0]
                + ": "
                + user[1]
                + "\r\n\r\n{}");
    assertThat(response)
        .startsWith("HTTP/1.1 400")
        .contains("request.malformed")
        .contains("address");
  }

  @Test
  void unknownMethod_is405WithAllow() throws IOException {
    String response = raw("BREW /v1/whoami HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assertThat(response)
        .startsWith("HTTP/1.1 405")
        .containsIgnoringCase("allow: DELETE, GET, PATCH, POST, PUT")
        .contains("http.method-not-allowed");
  }

  private static String raw(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", torg.server.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void get_withBody_isInvalid() {
    assertInvalid(torg.send("GET", "/v1/offers/1", "{}"), null);
  }

  @Test
  void missingRoute_is404Problem() {
    Reply reply = torg.get("/v1/nothing", "X-Request-Id", "abc-1");
    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.header("content-type")).startsWith("application/problem+json");
    assertThat(reply.header("x-request-id")).isEqualTo("abc-1");
    JsonNode problem = reply.json();
    assertThat(problem.get("type").asText()).isEqualTo("urn:torg:problem:http.no-such-route");
    assertThat(problem.get("title").asText()).isNotEmpty();
    assertThat(problem.get("status").asInt()).isEqualTo(404);
    assertThat(problem.get("code").asText()).isEqualTo("http.no-such-route");
    assertThat(problem.get("detail").asText()).isNotEmpty();
    assertThat(problem.get("violations").isArray()).isTrue();
    assertThat(problem.get("requestId").asText()).isEqualTo("abc-1");
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE, /v1/whoami, GET",
    "GET, /v1/login, POST",
    "POST, /v1/offers/123, 'GET, PUT'",
    "PATCH, /v1/offers/1, 'GET, PUT'",
    "PATCH, /v1/offers/1:withdraw, 'GET, POST, PUT'",
    "POST, /v1/offers/1:nope, 'GET, PUT'",
    "POST, /health, GET",
    "POST, /docs/, GET",
    "GET, /torg.v1.OfferService/GetOffer, POST"
  })
  void wrongMethod_is405ProblemThatReportsWhichAreRight(String method, String path, String allow) {
    Reply reply = torg.send(method, path, null);
    assertThat(reply.header("allow")).as(reply.body()).isEqualTo(allow);
    assertThat(reply.status()).as(reply.body()).isEqualTo(405);
    assertThat(reply.header("content-type")).startsWith("application/problem+json");
    assertThat(reply.json().get("status").asInt()).isEqualTo(405);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/offers | {\"offer\":{\"title\":\"a\\u0000b\"}} | offer.title",
        "/v1/offers | {\"offer\":{\"banReasons\":[\"ok\",\"\\u0000\"]}} | offer.banReasons[1]",
        "/v1/offers | {\"offer\":{\"attributes\":{\"a\":\"\\u0000\"}}} | offer.attributes",
        "/v1/offers | {\"offer\":{\"attributes\":{\"a\":[\"\\u0000\"]}}} | offer.attributes",
        "/v1/offers | {\"offer\":{\"attributes\":{\"\\u0000\":1}}} | offer.attributes",
      })
  void post_textWithNul_isInvalidWithItsPath(String path, String body, String field) {
    assertInvalid(torg.post(path, body, user), field);
  }

  @Test
  void addressWithNul_isInvalid() {
    assertInvalid(torg.get("/v1/sellers/me/offers?externalId=a%00b"), null);
    assertInvalid(torg.post("/v1/offers/a%00b:withdraw", "{}", user), null);
  }

  @Test
  void post_hugeFaults_areReportedShortened() {
    String huge = "x".repeat(1 << 20);
    String many =
        java.util.stream.IntStream.range(0, 100_000)
            .mapToObj(i -> "\"f" + i + "\":1")
            .collect(java.util.stream.Collectors.joining(",", "{", "}"));
    for (String body :
        java.util.List.of(
            "{\"" + huge + "\":1}",
            "{\"offer\":{\"price\":{\"amount\":\"" + huge + "\"}}}",
            "{\"offer\":{\"status\":\"" + huge + "\"}}",
            "{\"offer\":" + huge,
            many)) {
      Reply reply = torg.post("/v1/offers", body, user);
      assertInvalid(reply, null);
      assertThat(reply.body().length()).isLessThan(3_000);
    }
  }

  @Test
  void post_emptyIdempotencyKey_isInvalid() {
    String body = "{\"offer\":{\"title\":\"Bike\"}}";
    assertInvalid(
        torg.post("/v1/offers", body, user[0], user[1], "Idempotency-Key", ""), "Idempotency-Key");
    assertInvalid(
        torg.post(
            "/v1/offers", body, user[0], user[1], "Idempotency-Key", "a", "Idempotency-Key", "b"),
        "Idempotency-Key");
  }

  @Test
  void post_idempotencyKeyInHeaderAndField_mustAgree() {
    String body = "{\"offer\":{\"title\":\"Bike\"},\"idempotencyKey\":\"one\"}";
    assertInvalid(
        torg.post("/v1/offers", body, user[0], user[1], "Idempotency-Key", "two"),
        "idempotencyKey");
    assertThat(torg.post("/v1/offers", body, user[0], user[1], "Idempotency-Key", "one").status())
        .isEqualTo(200);
    assertThat(torg.offers.idempotencyKey).isEqualTo("one");
  }

  @Test
  void openApi_listsCallsNotPages() {
    JsonNode paths = torg.get("/openapi.json").json().get("paths");
    assertThat(paths.has("/v1/whoami")).isTrue();
    assertThat(paths.has("/health/live")).isTrue();
    assertThat(paths.fieldNames()).toIterable().noneMatch(path -> path.contains("docs"));
  }

  @Test
  void post_moreThanEightMegabytes_isInvalid() {
    byte[] body = new byte[9 * 1024 * 1024];
    java.util.Arrays.fill(body, (byte) ' ');
    Reply reply = torg.sendBytes("POST", "/v1/offers", body, user);
    assertThat(assertInvalid(reply, null).get("code").asText()).isEqualTo("request.too-large");
  }

  @Test
  void get_largeResponseForAClientThatAcceptsGzip_isCompressed() throws Exception {
    torg.offers.next =
        id ->
            CompletableFuture.completedFuture(
                Offer.newBuilder().setDescription("x".repeat(50_000)).build());
    var client = java.net.http.HttpClient.newHttpClient();
    var response =
        client.send(
            java.net.http.HttpRequest.newBuilder(
                    java.net.URI.create(torg.server.uri() + "/v1/offers/1"))
                .header("Accept-Encoding", "gzip")
                .build(),
            java.net.http.HttpResponse.BodyHandlers.ofByteArray());
    assertThat(response.headers().firstValue("content-encoding")).hasValue("gzip");
    assertThat(response.body().length).isLessThan(5_000);
    var in = new java.util.zip.GZIPInputStream(new java.io.ByteArrayInputStream(response.body()));
    assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).contains("x".repeat(50_000));
  }

  @Test
  void get_clientThatDisconnects_serverContinues() throws Exception {
    CompletableFuture<Offer> never = new CompletableFuture<>();
    torg.offers.next = _ -> never;
    var client = java.net.http.HttpClient.newHttpClient();
    var pending =
        client.sendAsync(
            java.net.http.HttpRequest.newBuilder(
                    java.net.URI.create(torg.server.uri() + "/v1/offers/1"))
                .build(),
            java.net.http.HttpResponse.BodyHandlers.ofString());
    client.shutdownNow();
    assertThat(pending).failsWithin(java.time.Duration.ofSeconds(10));
    never.complete(Offer.getDefaultInstance());
    torg.offers.next = id -> CompletableFuture.completedFuture(Offer.getDefaultInstance());
    assertThat(torg.get("/v1/offers/1").status()).isEqualTo(200);
  }

  @Test
  void blockingService_runsOnVirtualThread_asyncOnEventLoop() {
    torg.get("/v1/sellers/me/offers");
    assertThat(torg.dashboard.thread.isVirtual()).isTrue();
    torg.get("/v1/offers/1");
    assertThat(torg.offers.thread.isVirtual()).isFalse();
    assertThat(torg.offers.thread.getName()).contains("worker");
  }

  @Test
  void blockingService_knowsItsCaller() {
    Reply reply =
        torg.get(
            "/v1/sellers/me/presets",
            "Authorization",
            "Bearer " + torg.token("user:77", Role.USER));
    assertThat(reply.json().at("/counts/user:77").asInt(-1)).isZero();
  }
}
