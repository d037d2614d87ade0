package dev.torg.server;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.common.util.BlockingTaskExecutor;
import com.linecorp.armeria.common.util.InetAddressPredicates;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.docs.DocService;
import com.linecorp.armeria.server.encoding.EncodingService;
import com.linecorp.armeria.server.grpc.GrpcHealthCheckService;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.torg.api.v1.Caller;
import dev.torg.platform.identity.Tokens;
import dev.torg.server.access.CallTimers;
import dev.torg.server.access.Callers;
import dev.torg.server.access.Gate;
import dev.torg.server.access.RouteGate;
import dev.torg.server.access.RpcGate;
import dev.torg.server.json.GrpcJson;
import dev.torg.server.json.JsonRoute;
import dev.torg.server.json.JsonRoutes;
import dev.torg.server.openapi.OpenApi;
import dev.torg.server.problem.GrpcProblems;
import dev.torg.server.problem.HttpProblems;
import dev.torg.server.problem.UnframedProblems;
import io.grpc.BindableService;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The running server. It refuses to start when an RPC or a plain service does not declare its callers.
///
/// Stopping: not ready any more, nobody new is admitted, requests in progress finish (at most the configured drain), then
/// the port closes.
public final class TorgServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TorgServer.class);

  /// How many plain requests may wait at once; RPCs on virtual threads are not bounded by it.
  private static final int WAITING = 1_000;

  private static final MediaType PROMETHEUS =
      MediaType.parse("text/plain; version=0.0.4; charset=utf-8");

  /// A stopping server is done when nothing has come for this long.
  private static final Duration QUIET = Duration.ofMillis(100);

  private final Server server;
  private final Gate gate;
  private final Readiness readiness;
  private final ServerConfig config;

  private TorgServer(Server server, Gate gate, Readiness readiness, ServerConfig config) {
    this.server = server;
    this.gate = gate;
    this.readiness = readiness;
    this.config = config;
  }

  public static TorgServer start(
      ServerConfig config,
      Tokens tokens,
      List<Rpc> rpcs,
      List<HttpRoute> routes,
      List<ReadinessCheck> checks,
      PrometheusMeterRegistry metrics) {
    Gate gate = new Gate(tokens, config.limits(), System::nanoTime);
    Readiness readiness = new Readiness(checks);
    List<ServerServiceDefinition> services = rpcs.stream().map(Rpc::bind).toList();
    BindableService health = GrpcHealthCheckService.builder().checkers(readiness.health()).build();
    BindableService reflection = ProtoReflectionServiceV1.newInstance();
    Map<String, Callers> callers =
        Declarations.of(services, List.of(health.bindService(), reflection.bindService()));
    RpcGate rpcGate =
        new RpcGate(gate, callers, new CallTimers(metrics, callers.keySet()), config.maxBytes());

    ServerBuilder builder = builder(config, metrics);
    builder.service(grpc(config, services, List.of(health, reflection), rpcGate));
    JsonRoutes json =
        new JsonRoutes(
            services.stream()
                .map(service -> ServerInterceptors.intercept(service, rpcGate))
                .toList());
    json.routes().forEach(route -> bind(builder, route));
    List<HttpRoute> table = new ArrayList<>(routes);
    table.addAll(ownRoutes(readiness, metrics));
    table.add(openApi(json, table));
    table.forEach(route -> bind(builder, route, gate));

    readiness.start();
    TorgServer running = new TorgServer(builder.build(), gate, readiness, config);
    running.server.start().join();
    RequestIdConverter.serving();
    log.info("serving on {}", running.uri());
    return running;
  }

  private static ServerBuilder builder(ServerConfig config, PrometheusMeterRegistry metrics) {
    return Server.builder()
        .http(new InetSocketAddress(config.host(), config.port()))
        .maxRequestLength(config.maxBytes())
        .requestTimeout(config.timeout())
        .gracefulShutdownTimeout(QUIET, config.drain())
        .requestIdGenerator(request -> RequestIds.from(request.headers()))
        .clientAddressTrustedProxyFilter(trusted(config.trustedProxies()))
        .blockingTaskExecutor(virtualThreads(), true)
        .meterRegistry(metrics)
        .errorHandler(new HttpProblems())
        .decorator(new Envelope());
  }

  private static GrpcService grpc(
      ServerConfig config,
      List<ServerServiceDefinition> services,
      List<BindableService> own,
      RpcGate gate) {
    return GrpcService.builder()
        .addServiceDefinitions(services)
        .addServices(own)
        .intercept(gate)
        .exceptionHandler(new GrpcProblems())
        .maxRequestMessageLength(config.maxBytes())
        .maxResponseMessageLength(config.maxBytes())
        .supportedSerializationFormats(GrpcSerializationFormats.values())
        .jsonMarshallerFactory(_ -> new GrpcJson())
        .enableUnframedRequests(true)
        .unframedGrpcErrorHandler(new UnframedProblems())
        .build();
  }

  private static void bind(ServerBuilder builder, JsonRoute route) {
    builder
        .route()
        .methods(route.method())
        .path(route.path())
        .decorator(EncodingService.newDecorator())
        .build(route);
  }

  private static void bind(ServerBuilder builder, HttpRoute route, Gate gate) {
    Callers callers = Callers.of(route.name(), route.callers());
    var binding =
        builder
            .route()
            .methods(route.method())
            .path(route.path())
            .decorator(service -> new RouteGate(service, gate, callers));
    if (route.streaming()) {
      binding.maxRequestLength(0).requestTimeout(Duration.ZERO);
    } else {
      binding.decorator(EncodingService.newDecorator());
    }
    binding.build(route.service());
  }

  private static List<HttpRoute> ownRoutes(Readiness readiness, PrometheusMeterRegistry metrics) {
    return List.of(
        open("/health/live", "The process runs", (_, _) -> readiness.live()),
        open("/health/ready", "The process can serve", (_, _) -> readiness.ready()),
        open("/health", "The process can serve", (_, _) -> readiness.ready()),
        open("/metrics", "Measurements in Prometheus format", (ctx, _) -> scrape(ctx, metrics)),
        open(
            HttpRoute.PREFIX + "/docs", "Interactive documentation", DocService.builder().build()));
  }

  private static HttpResponse scrape(ServiceRequestContext ctx, PrometheusMeterRegistry metrics) {
    return HttpResponse.of(
        CompletableFuture.supplyAsync(
            () -> HttpResponse.of(PROMETHEUS, metrics.scrape()), ctx.blockingTaskExecutor()));
  }

  private static HttpRoute openApi(JsonRoutes json, List<HttpRoute> table) {
    List<HttpRoute> described = new ArrayList<>(table);
    HttpRoute undocumented = open("/openapi.json", "This document", (_, _) -> HttpResponse.of(200));
    described.add(undocumented);
    String document = new OpenApi(json.methods(), described).json();
    return open(
        "/openapi.json",
        "This document",
        (_, _) -> HttpResponse.of(MediaType.JSON_UTF_8, document));
  }

  private static HttpRoute open(String path, String summary, HttpService service) {
    return new HttpRoute(HttpMethod.GET, path, List.of(Caller.ANYONE), summary, service);
  }

  private static Predicate<InetAddress> trusted(List<String> ranges) {
    return ranges.stream()
        .map(InetAddressPredicates::ofCidr)
        .reduce(Predicate::or)
        .orElse(_ -> false);
  }

  private static BlockingTaskExecutor virtualThreads() {
    return BlockingTaskExecutor.of(
        Executors.newScheduledThreadPool(
            WAITING, Thread.ofVirtual().name("torg-http-", 0).factory()));
  }

  public int port() {
    return server.activeLocalPort();
  }

  public URI uri() {
    return URI.create("http://" + config.host() + ":" + port());
  }

  @Override
  public void close() {
    readiness.close();
    gate.close();
    server.stop().join();
  }
}
