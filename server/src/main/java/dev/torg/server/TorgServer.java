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
import dev.torg.server.access.RpcEntrance;
import dev.torg.server.access.RpcGate;
import dev.torg.server.access.RpcRules;
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
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The running server. It refuses to start when an RPC or a plain service does not declare its callers.
///
/// Stopping: not ready any more, newcomers hear 503 and lose their connection, calls in progress finish (at most the
/// configured drain), then the port closes. Armeria's own graceful end is off: it waits until nobody has called for a
/// while, and a client that keeps calling keeps it waiting.
public final class TorgServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TorgServer.class);

  /// How many plain requests may wait at once; RPCs on virtual threads are not bounded by it.
  private static final int WAITING = 1_000;

  private static final MediaType PROMETHEUS =
      MediaType.parse("text/plain; version=0.0.4; charset=utf-8");

  /// A message that is too large is told so in gRPC's words; only a body far beyond that is cut off by HTTP.
  private static final long ROOM = 2;

  /// For the port and the connections to close once nobody is served; they take milliseconds.
  private static final Duration CLOSING = Duration.ofSeconds(1);

  private static final Duration PAUSE = Duration.ofMillis(5);

  private final Server server;
  private final Gate gate;
  private final Readiness readiness;
  private final BlockingTaskExecutor waiting;
  private final ServerConfig config;

  private TorgServer(
      Server server,
      Gate gate,
      Readiness readiness,
      BlockingTaskExecutor waiting,
      ServerConfig config) {
    this.server = server;
    this.gate = gate;
    this.readiness = readiness;
    this.waiting = waiting;
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
    BlockingTaskExecutor waiting = virtualThreads();
    try {
      ServerBuilder builder = builder(config, metrics).blockingTaskExecutor(waiting, false);
      addServices(builder, config, gate, readiness, rpcs, routes, metrics);
      readiness.start();
      TorgServer running = new TorgServer(builder.build(), gate, readiness, waiting, config);
      running.server.start().join();
      RequestIdConverter.serving();
      log.info("serving on {}", running.uri());
      return running;
    } catch (RuntimeException | Error e) {
      readiness.close();
      waiting.shutdownNow();
      throw e;
    }
  }

  private static void addServices(
      ServerBuilder builder,
      ServerConfig config,
      Gate gate,
      Readiness readiness,
      List<Rpc> rpcs,
      List<HttpRoute> routes,
      PrometheusMeterRegistry metrics) {
    List<ServerServiceDefinition> services = rpcs.stream().map(Rpc::bind).toList();
    BindableService health = GrpcHealthCheckService.builder().checkers(readiness.health()).build();
    BindableService reflection = ProtoReflectionServiceV1.newInstance();
    RpcRules rules = Declarations.of(services, health.bindService(), reflection.bindService());
    CallTimers timers = new CallTimers(metrics, rules.callers().keySet());
    AllowedMethods allowed = new AllowedMethods();
    builder.errorHandler(new HttpProblems(allowed));

    RpcGate rpcGate = new RpcGate(gate, rules, timers, ROOM * config.maxBytes());
    GrpcService grpc = grpc(config, services, List.of(health, reflection), rpcGate);
    builder.service(grpc, service -> new RpcEntrance(service, gate, rules));
    allowed.addRpcs(grpc.routes());
    JsonRoutes json = json(services, new RpcGate(gate, rules, timers, config.maxBytes()));
    json.routes().forEach(route -> bind(builder, route));
    json.routes().forEach(allowed::add);

    List<HttpRoute> gated = new ArrayList<>(routes);
    gated.add(open(HttpRoute.PREFIX + "/docs", "Documentation", DocService.builder().build()));
    List<HttpRoute> probes = probes(readiness, metrics);
    gated.add(openApi(json, Stream.of(gated, probes).flatMap(Collection::stream).toList()));
    gated.forEach(route -> bind(builder, route, gate));
    probes.forEach(route -> bindProbe(builder, route));
    Stream.of(gated, probes).flatMap(Collection::stream).forEach(allowed::add);
  }

  private static JsonRoutes json(List<ServerServiceDefinition> services, RpcGate gate) {
    return new JsonRoutes(
        services.stream().map(service -> ServerInterceptors.intercept(service, gate)).toList());
  }

  private static ServerBuilder builder(ServerConfig config, PrometheusMeterRegistry metrics) {
    return Server.builder()
        .http(new InetSocketAddress(config.host(), config.port()))
        .maxRequestLength(config.maxBytes())
        .requestTimeout(config.timeout())
        .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
        .requestIdGenerator(request -> RequestIds.from(request.headers()))
        .clientAddressTrustedProxyFilter(trusted(config.trustedProxies()))
        .meterRegistry(metrics)
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
            .decorator(service -> new RouteGate(service, gate, callers, route.endless()));
    if (route.streaming()) {
      binding.maxRequestLength(0).requestTimeout(Duration.ZERO);
    } else {
      binding.decorator(EncodingService.newDecorator());
    }
    binding.build(route.service());
  }

  /// Probes pass by the gate: no token, no limit, and an answer also while the server stops.
  private static void bindProbe(ServerBuilder builder, HttpRoute route) {
    builder
        .route()
        .methods(route.method())
        .path(route.path())
        .decorator(EncodingService.newDecorator())
        .build(route.service());
  }

  private static List<HttpRoute> probes(Readiness readiness, PrometheusMeterRegistry metrics) {
    return List.of(
        open("/health/live", "The process runs", (_, _) -> readiness.live()),
        open("/health/ready", "The process can serve", (_, _) -> readiness.ready()),
        open("/health", "The process can serve", (_, _) -> readiness.ready()),
        open("/metrics", "Measurements in Prometheus format", (ctx, _) -> scrape(ctx, metrics)));
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
    gate.close(config.drain());
    server.stop();
    waiting.shutdownNow();
    awaitClosed();
  }

  /// Armeria says that it has stopped two seconds after it has closed everything: nobody needs to wait for that.
  private void awaitClosed() {
    long deadline = System.nanoTime() + CLOSING.toNanos();
    while (!isClosed() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private boolean isClosed() {
    return server.activePorts().isEmpty() && server.numConnections() == 0;
  }
}
