package dev.torg.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.identity.Lifetimes;
import dev.torg.platform.identity.SigningKeys;
import dev.torg.platform.identity.TokenService;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RpcBinding;
import dev.torg.testkit.TestDirectory;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A server in this process with identity and the offers of [EchoOfferService], and clients for it.
final class RunningServer implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();

  final EchoOfferService offers = new EchoOfferService();
  final TestDashboard dashboard = new TestDashboard();
  final TokenService tokens;
  final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  final TorgServer server;
  final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  final ManagedChannel channel;

  RunningServer(ServerConfig config, List<HttpRoute> routes, List<ReadinessCheck> checks) {
    this(config, routes, checks, DevelopmentLogin.LOCAL);
  }

  RunningServer(
      ServerConfig config,
      List<HttpRoute> routes,
      List<ReadinessCheck> checks,
      DevelopmentLogin login) {
    this(config, routes, checks, login, List.of());
  }

  /// With services of a test in addition to the usual ones.
  RunningServer(BindableService... more) {
    this(ServerConfig.local(0), List.of(), List.of(), DevelopmentLogin.LOCAL, List.of(more));
  }

  RunningServer(ServerConfig config, BindableService... more) {
    this(config, List.of(), List.of(), DevelopmentLogin.LOCAL, List.of(more));
  }

  private RunningServer(
      ServerConfig config,
      List<HttpRoute> routes,
      List<ReadinessCheck> checks,
      DevelopmentLogin login,
      List<BindableService> more) {
    this.tokens = newTokens();
    List<RpcBinding> rpcs = new ArrayList<>();
    rpcs.add(RpcBinding.async(new IdentityRpc(tokens, login)));
    rpcs.add(RpcBinding.async(offers));
    rpcs.add(RpcBinding.blocking(dashboard));
    more.forEach(service -> rpcs.add(RpcBinding.async(service)));
    this.server = TorgServer.start(config, tokens, rpcs, routes, checks, metrics);
    this.channel =
        OkHttpChannelBuilder.forAddress("127.0.0.1", server.port())
            .usePlaintext()
            .maxInboundMessageSize(16 << 20)
            .build();
  }

  static TokenService newTokens() {
    Path file = TestDirectory.create("keys").resolve("tokens.jwks");
    return new TokenService(
        SigningKeys.open(file, InstantSource.system()),
        Lifetimes.defaults(),
        Optional.empty(),
        InstantSource.system());
  }

  String token(String subject, Role... roles) {
    return tokens.issue(subject, Set.of(roles), Duration.ofHours(1)).token();
  }

  String user() {
    return token("user:42", Role.USER);
  }

  String service() {
    return token("service:tests", Role.SERVICE);
  }

  Reply get(String path, String... headers) {
    return send("GET", path, null, headers);
  }

  Reply post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  Reply send(String method, String path, String body, String... headers) {
    return sendBytes(
        method,
        path,
        body == null ? null : body.getBytes(java.nio.charset.StandardCharsets.UTF_8),
        headers);
  }

  Reply sendBytes(String method, String path, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.uri() + path))
            .timeout(Duration.ofSeconds(30))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    if (body != null && !List.of(headers).contains("Content-Type")) {
      request.header("Content-Type", "application/json");
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return new Reply(http.send(request.build(), HttpResponse.BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  record Reply(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String body() {
      return response.body();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    JsonNode json() {
      try {
        return JSON.readTree(response.body());
      } catch (IOException e) {
        throw new AssertionError("not JSON: " + response.body(), e);
      }
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.close();
    http.close();
  }
}
