package dev.torg.server;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.docs.DocService;
import com.linecorp.armeria.server.encoding.EncodingService;
import com.linecorp.armeria.server.grpc.GrpcHealthCheckService;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.grpc.GrpcServiceBuilder;
import dev.torg.api.v1.CallerKind;
import dev.torg.server.access.AccessControl;
import dev.torg.server.access.CallMetrics;
import dev.torg.server.access.CallerPolicy;
import dev.torg.server.access.GrpcAccessDecorator;
import dev.torg.server.access.HttpAccessDecorator;
import dev.torg.server.access.RpcAccessInterceptor;
import dev.torg.server.access.RpcAccessRules;
import dev.torg.server.bounds.BoundedServices;
import dev.torg.server.bounds.RequestBounds;
import dev.torg.server.json.GrpcJson;
import dev.torg.server.json.JsonResponses;
import dev.torg.server.json.JsonRoute;
import dev.torg.server.json.JsonRoutes;
import dev.torg.server.openapi.OpenApi;
import dev.torg.server.problem.GrpcProblems;
import dev.torg.server.problem.HttpProblems;
import dev.torg.server.problem.UnframedProblems;
import dev.torg.server.quota.CallsInFlight;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import dev.torg.server.route.RpcBinding;
import io.grpc.BindableService;
import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/// Registers all services at their addresses, each behind access control: RPCs at their gRPC
/// addresses and as JSON, plain services, the documents generated from both, and the probes.
final class ServiceRegistrar {
  private static final MediaType PROMETHEUS =
      MediaType.parse("text/plain; version=0.0.4; charset=utf-8");

  private static final String OPERATIONS = "Operations";
  private static final String JSON = "application/json";

  private static final RouteDoc LIVE =
      RouteDoc.of("getLiveness", OPERATIONS, "Returns whether the process runs")
          .describedAs("A supervisor restarts a process for which this fails.")
          .returning(JSON);

  private static final RouteDoc METRICS =
      RouteDoc.of("getMetrics", OPERATIONS, "Returns the metrics of the process")
          .describedAs("The format is that of Prometheus.")
          .returning("text/plain");

  private static final RouteDoc OPENAPI =
      RouteDoc.of("getOpenApi", OPERATIONS, "Returns this document").returning(JSON);

  /// A message that is too large is refused with a gRPC status; only a body far beyond that is cut off by HTTP.
  private static final int HTTP_LIMIT_FACTOR = 2;

  private static final long MAX_UNREAD_BODY_BYTES = 16 << 10;

  /// Compressed messages are not accepted: they would be inflated before they could be checked.
  private static final DecompressorRegistry UNCOMPRESSED =
      DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, true);

  /// Threads for probes that block. Calls that use up the other threads must not make a probe fail,
  /// and a flood of probes must not use up more than these.
  private static final Executor PROBES =
      Executors.newFixedThreadPool(2, Thread.ofVirtual().name("torg-probe-", 0).factory());

  private final ServerBuilder builder;
  private final ServerConfig config;
  private final AccessControl accessControl;
  private final Readiness readiness;
  private final PrometheusMeterRegistry metrics;
  private final AllowedMethods allowed = new AllowedMethods();

  ServiceRegistrar(
      ServerBuilder builder,
      ServerConfig config,
      AccessControl accessControl,
      Readiness readiness,
      PrometheusMeterRegistry metrics) {
    this.builder = builder;
    this.config = config;
    this.accessControl = accessControl;
    this.readiness = readiness;
    this.metrics = metrics;
  }

  void add(List<RpcBinding> rpcs, List<HttpRoute> routes) {
    builder.errorHandler(new HttpProblems(allowed, accessControl::countUnrouted));
    JsonRoutes json = addRpcs(rpcs.stream().map(RpcBinding::bind).toList());
    List<HttpRoute> guarded = new ArrayList<>(routes);
    guarded.add(
        open(
            HttpRoute.PREFIX + "/docs",
            RouteDoc.of("getDocs", OPERATIONS, "Shows the interactive documentation"),
            DocService.builder().build()));
    List<HttpRoute> probes = probes();
    guarded.add(openApi(json, guarded, probes));
    guarded.forEach(this::bind);
    probes.forEach(this::bindProbe);
  }

  private JsonRoutes addRpcs(List<ServerServiceDefinition> services) {
    BindableService health = GrpcHealthCheckService.builder().checkers(readiness.health()).build();
    BindableService reflection = ProtoReflectionServiceV1.newInstance();
    RpcAccessRules rules =
        RpcCallerDeclarations.of(services, health.bindService(), reflection.bindService());
    CallMetrics callMetrics = new CallMetrics(metrics, rules.callers().keySet());
    RpcAccessInterceptor framed = accessInterceptor(rules, callMetrics, HTTP_LIMIT_FACTOR);
    bind(
        grpc(framed, config.maxBytes())
            .addServiceDefinitions(services.stream().map(BoundedServices::checked).toList())
            .build(),
        rules);
    bind(
        grpc(framed, RequestBounds.THIRD_PARTY_MAX_BYTES).addServices(health, reflection).build(),
        rules);
    RpcAccessInterceptor unframed = accessInterceptor(rules, callMetrics, 1);
    JsonRoutes json =
        new JsonRoutes(
            new JsonResponses(config.maxBytes()),
            services.stream()
                .map(service -> ServerInterceptors.intercept(service, unframed))
                .toList());
    json.routes().forEach(this::bind);
    return json;
  }

  private RpcAccessInterceptor accessInterceptor(
      RpcAccessRules rules, CallMetrics callMetrics, int capacity) {
    return new RpcAccessInterceptor(
        accessControl, rules, callMetrics, capacity, config.maxBytes(), config.timeout());
  }

  /// @param maxMessage the largest request; each method has its own limit within it
  private GrpcServiceBuilder grpc(RpcAccessInterceptor accessInterceptor, int maxMessage) {
    return GrpcService.builder()
        .intercept(accessInterceptor)
        .exceptionHandler(new GrpcProblems())
        .maxRequestMessageLength(maxMessage)
        .maxResponseMessageLength(config.maxBytes())
        .decompressorRegistry(UNCOMPRESSED)
        .supportedSerializationFormats(GrpcSerializationFormats.values())
        .jsonMarshallerFactory(_ -> new GrpcJson(config.maxBytes()))
        .useClientTimeoutHeader(false) // The header could also remove the limit; see CallDeadline.
        .enableUnframedRequests(true)
        .unframedGrpcErrorHandler(new UnframedProblems());
  }

  private void bind(GrpcService grpc, RpcAccessRules rules) {
    allowed.addRpcs(grpc.routes());
    builder.service(grpc, service -> new GrpcAccessDecorator(service, accessControl, rules));
  }

  private void bind(JsonRoute route) {
    allowed.add(route);
    builder.route().methods(route.method()).path(route.path()).build(route);
  }

  private void bind(HttpRoute route) {
    allowed.add(route);
    CallerPolicy callerPolicy = CallerPolicy.of(route.name(), route.callers());
    var binding =
        builder
            .route()
            .methods(route.method())
            .path(route.path())
            .decorator(
                service ->
                    new HttpAccessDecorator(
                        service,
                        accessControl,
                        callerPolicy,
                        route.eventStream(),
                        route.streaming(),
                        maxBodyBytes(route)));
    if (route.upload()) {
      binding.consumes(MediaType.MULTIPART_FORM_DATA);
    }
    if (route.streaming()) {
      binding.requestTimeout(Duration.ZERO);
    } else {
      binding.decorator(EncodingService.newDecorator());
    }
    binding.build(route.service());
  }

  /// Nothing reads the body of a GET, so what arrives of it stays in memory as long as its stream is open.
  private static long maxBodyBytes(HttpRoute route) {
    if (route.method() == HttpMethod.GET || route.method() == HttpMethod.HEAD) {
      return MAX_UNREAD_BODY_BYTES;
    }
    return route.streaming() ? 0 : RequestBounds.DEFAULT_MAX_BYTES;
  }

  /// Probes bypass access control: no token, no limit, and a response also while the server stops.
  private void bindProbe(HttpRoute route) {
    allowed.add(route);
    builder
        .route()
        .methods(route.method())
        .path(route.path())
        .maxRequestLength(MAX_UNREAD_BODY_BYTES)
        .decorator(EncodingService.newDecorator())
        .build(route.service());
  }

  private List<HttpRoute> probes() {
    return List.of(
        open("/health/live", LIVE, (_, _) -> readiness.live()),
        open("/health/ready", ready("getReadiness"), (_, _) -> readiness.ready()),
        open("/health", ready("getHealth"), (_, _) -> readiness.ready()),
        open("/metrics", METRICS, (ctx, _) -> scrape(ctx)));
  }

  private static RouteDoc ready(String operationId) {
    return RouteDoc.of(operationId, OPERATIONS, "Returns whether the process can serve requests")
        .describedAs("A load balancer sends requests to a process only while this succeeds.")
        .returning(JSON)
        .failingWith("health.not-ready");
  }

  private HttpResponse scrape(ServiceRequestContext ctx) {
    CallsInFlight.of(ctx).acquireScrape(ctx);
    return HttpResponse.of(
        CompletableFuture.supplyAsync(() -> HttpResponse.of(PROMETHEUS, metrics.scrape()), PROBES));
  }

  private static HttpResponse onBlockingThread(
      ServiceRequestContext ctx, Supplier<HttpResponse> response) {
    return HttpResponse.of(
        CompletableFuture.supplyAsync(response::get, ctx.blockingTaskExecutor()));
  }

  private static HttpRoute openApi(
      JsonRoutes json, List<HttpRoute> guarded, List<HttpRoute> probes) {
    List<HttpRoute> described = new ArrayList<>(guarded);
    described.add(open("/openapi.json", OPENAPI, (_, _) -> HttpResponse.of(200)));
    // All responses share the bytes: those that are not read hold no copies.
    Supplier<HttpData> document =
        Suppliers.memoize(
            () -> HttpData.ofUtf8(new OpenApi(json.methods(), described, probes).json()));
    return open(
        "/openapi.json",
        OPENAPI,
        (ctx, _) ->
            onBlockingThread(
                ctx, () -> HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, document.get())));
  }

  private static HttpRoute open(String path, RouteDoc doc, HttpService service) {
    return new HttpRoute(HttpMethod.GET, path, List.of(CallerKind.ANYONE), doc, service);
  }
}
