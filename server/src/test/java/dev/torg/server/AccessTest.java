package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import dev.torg.api.v1.CallerKind;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.identity.Lifetimes;
import dev.torg.platform.identity.SigningKeys;
import dev.torg.platform.identity.TokenService;
import dev.torg.server.RunningServer.Reply;
import dev.torg.server.access.HttpAccessDecorator;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import dev.torg.server.route.RpcBinding;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Who may call what.
class AccessTest {
  static RunningServer torg;

  @BeforeAll
  static void start() {
    torg =
        new RunningServer(
            ServerConfig.local(0),
            List.of(
                route("/plain/open", CallerKind.ANYONE),
                route("/plain/any", CallerKind.ANY_TOKEN),
                route("/plain/{who}/moderated", CallerKind.MODERATOR)),
            List.of());
  }

  static HttpRoute route(String path, CallerKind callers) {
    return new HttpRoute(
        HttpMethod.GET,
        path,
        List.of(callers),
        RouteDoc.of("test", "Tests", "test"),
        (ctx, _) ->
            HttpResponse.of(HttpAccessDecorator.caller(ctx).map(Caller::subject).orElse("none")));
  }

  @AfterAll
  static void stop() {
    torg.close();
  }

  static String[] bearer(String token, String... more) {
    return java.util.stream.Stream.concat(
            java.util.stream.Stream.of("Authorization", "Bearer " + token),
            java.util.stream.Stream.of(more))
        .toArray(String[]::new);
  }

  static void assertProblem(Reply reply, int status, String code) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    assertThat(reply.header("content-type")).startsWith("application/problem+json");
    assertThat(reply.json().get("code").asText()).isEqualTo(code);
  }

  /// Method, path, then the status for each role: none, anonymous, user, moderator, service, admin.
  @ParameterizedTest
  @CsvSource({
    "GET,  /v1/offers/1,                  200, 200, 200, 200, 200, 200",
    "GET,  /v1/whoami,                    401, 200, 200, 200, 200, 200",
    "POST, /v1/offers/1:withdraw,         401, 401, 200, 200, 200, 200",
    "PUT,  /v1/offers/1/stages/x,         401, 403, 403, 403, 200, 200",
    "POST, /v1/sellers/me/presets:repair, 401, 403, 403, 403, 403, 500",
    "GET,  /plain/open,                   200, 200, 200, 200, 200, 200",
    "GET,  /plain/any,                    401, 200, 200, 200, 200, 200",
    "GET,  /plain/x/moderated,            401, 403, 403, 200, 403, 200",
  })
  void everyRole_isServedAsDeclared(
      String method, String path, int none, int anon, int user, int mod, int service, int admin) {
    String body = method.equals("GET") ? null : "{}";
    assertThat(torg.send(method, path, body).status()).as("none").isEqualTo(none);
    assertAs("anon:1", Role.ANONYMOUS, method, path, body, anon);
    assertAs("user:1", Role.USER, method, path, body, user);
    assertAs("user:2", Role.MODERATOR, method, path, body, mod);
    assertAs("service:x", Role.SERVICE, method, path, body, service);
    assertAs("user:3", Role.ADMIN, method, path, body, admin);
  }

  static void assertAs(
      String subject, Role role, String method, String path, String body, int status) {
    Reply reply = torg.send(method, path, body, bearer(torg.token(subject, role)));
    assertThat(reply.status()).as(role + " " + reply.body()).isEqualTo(status);
  }

  @Test
  void badToken_isRefusedEvenWhereNoneIsNeeded() {
    assertProblem(torg.get("/v1/offers/1", bearer("x.y.z")), 401, "token.invalid");
    assertProblem(torg.get("/plain/open", bearer("nonsense")), 401, "token.invalid");
    assertProblem(torg.get("/v1/offers/1", "Authorization", "Basic abc"), 401, "token.malformed");
    assertThat(torg.get("/v1/offers/1", bearer("x.y.z")).header("www-authenticate"))
        .isEqualTo("Bearer");
  }

  @Test
  void expiredToken_isUnauthenticated(@TempDir Path directory) {
    Instant[] now = {Instant.now()};
    TokenService tokens =
        new TokenService(
            SigningKeys.open(directory.resolve("k"), () -> now[0]),
            Lifetimes.defaults(),
            Optional.empty(),
            () -> now[0]);
    try (TorgServer server =
        TorgServer.start(
            ServerConfig.local(0),
            tokens,
            List.of(RpcBinding.async(new IdentityRpc(tokens, DevelopmentLogin.LOCAL))),
            List.of(),
            List.of(),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))) {
      String token = tokens.issueUser("user:1").token();
      String address = server.uri() + "/v1/whoami";
      assertThat(fetch(address, token)).isEqualTo(200);
      now[0] = now[0].plus(Duration.ofHours(24));
      assertThat(fetch(address, token)).isEqualTo(401);
    }
  }

  static int fetch(String address, String token) {
    try {
      return torg.http
          .send(
              java.net.http.HttpRequest.newBuilder(java.net.URI.create(address))
                  .header("Authorization", "Bearer " + token)
                  .build(),
              java.net.http.HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (java.io.IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void service_onBehalfOfUser_isThatUser() {
    Reply reply = torg.get("/v1/whoami", bearer(torg.service(), "Torg-On-Behalf-Of", "user:99"));
    assertThat(reply.json().get("subject").asText()).isEqualTo("user:99");
    assertThat(reply.json().at("/roles/0").asText()).isEqualTo("service");
    assertThat(
            torg.get("/plain/any", bearer(torg.service(), "Torg-On-Behalf-Of", "user:99")).body())
        .isEqualTo("user:99");
  }

  @Test
  void callsOnBehalfOfAnother_areForbidden() {
    assertProblem(
        torg.get("/v1/whoami", bearer(torg.user(), "Torg-On-Behalf-Of", "user:99")),
        403,
        "role.missing");
    assertProblem(torg.get("/v1/offers/1", "Torg-On-Behalf-Of", "user:99"), 403, "role.missing");
    assertProblem(
        torg.get("/v1/whoami", bearer(torg.service(), "Torg-On-Behalf-Of", "not a subject")),
        400,
        "subject.malformed");
  }

  @Test
  void anonymous_getsIdentityThatWhoAmIKnows() {
    Reply created = torg.post("/v1/anonymous", null);
    assertThat(created.status()).as(created.body()).isEqualTo(200);
    String subject = created.json().get("subject").asText();
    assertThat(subject).startsWith("anon:");
    Reply whoami = torg.get("/v1/whoami", bearer(created.json().get("token").asText()));
    assertThat(whoami.json().get("subject").asText()).isEqualTo(subject);
    assertThat(whoami.json().at("/roles/0").asText()).isEqualTo("anonymous");
  }

  @ParameterizedTest
  @CsvSource({"42", "user:42"})
  void login_userId_grantsRoleUserOnly(String userId) {
    Reply login = torg.post("/v1/login", "{\"userId\":\"" + userId + "\"}");
    Reply whoami = torg.get("/v1/whoami", bearer(login.json().get("token").asText()));
    assertThat(whoami.body()).isEqualTo("{\"subject\":\"user:42\",\"roles\":[\"user\"]}");
  }

  @ParameterizedTest
  @CsvSource({"''", "anon:1", "user:", "a/b", "user:user:1", "a b", "service:x"})
  void login_badUserId_isInvalid(String userId) {
    Reply reply = torg.post("/v1/login", "{\"userId\":\"" + userId + "\"}");
    assertProblem(reply, 400, "subject.malformed");
    assertThat(reply.json().at("/violations/0/field").asText()).isEqualTo("userId");
  }

  @Test
  void login_switchedOff_isForbidden() {
    try (RunningServer strict =
        new RunningServer(ServerConfig.local(0), List.of(), List.of(), DevelopmentLogin.OFF)) {
      assertProblem(strict.post("/v1/login", "{\"userId\":\"42\"}"), 403, "login.disabled");
    }
  }

  @Test
  void start_routeWithoutCallers_isRefused() {
    HttpRoute undeclared =
        new HttpRoute(
            HttpMethod.GET,
            "/x",
            List.of(),
            RouteDoc.of("test", "Tests", "test"),
            (_, _) -> HttpResponse.of(200));
    assertThatThrownBy(
            () -> new RunningServer(ServerConfig.local(0), List.of(undeclared), List.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("GET /x")
        .hasMessageContaining("does not declare its callers");
  }

  @Test
  void start_rpcWithoutCallers_isRefused() {
    TokenService tokens = RunningServer.newTokens();
    assertThatThrownBy(
            () ->
                TorgServer.start(
                    ServerConfig.local(0),
                    tokens,
                    List.of(RpcBinding.async(undeclared())),
                    List.of(),
                    List.of(),
                    new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("test.Undeclared/Call")
        .hasMessageContaining("does not declare its callers");
  }

  /// gRPC's own health service declares no callers of Torg.
  @Test
  void start_protoRpcWithoutTheOption_isRefused() {
    TokenService tokens = RunningServer.newTokens();
    BindableService health = new io.grpc.health.v1.HealthGrpc.HealthImplBase() {};
    assertThatThrownBy(
            () ->
                TorgServer.start(
                    ServerConfig.local(0),
                    tokens,
                    List.of(RpcBinding.async(health)),
                    List.of(),
                    List.of(),
                    new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("grpc.health.v1.Health");
  }

  static BindableService undeclared() {
    var marshaller = ProtoUtils.marshaller(com.google.protobuf.Empty.getDefaultInstance());
    MethodDescriptor<com.google.protobuf.Empty, com.google.protobuf.Empty> method =
        MethodDescriptor.<com.google.protobuf.Empty, com.google.protobuf.Empty>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("test.Undeclared/Call")
            .setRequestMarshaller(marshaller)
            .setResponseMarshaller(marshaller)
            .build();
    return () ->
        ServerServiceDefinition.builder("test.Undeclared")
            .addMethod(method, ServerCalls.asyncUnaryCall((_, response) -> response.onCompleted()))
            .build();
  }
}
