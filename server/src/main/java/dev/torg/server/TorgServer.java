package dev.torg.server;

import com.linecorp.armeria.common.util.BlockingTaskExecutor;
import com.linecorp.armeria.common.util.InetAddressPredicates;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import dev.torg.platform.identity.TokenService;
import dev.torg.server.access.AccessControl;
import dev.torg.server.quota.CallsInFlight;
import dev.torg.server.quota.ConnectionLimit;
import dev.torg.server.quota.Refusals;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RequestIds;
import dev.torg.server.route.RpcBinding;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The running server. It refuses to start when an RPC or a plain service does not declare its callers.
///
/// Stopping: readiness fails, new calls receive 503 and their connection is closed, calls in progress finish
/// (at most the configured drain time), then the port closes. Armeria's own graceful shutdown is off: it waits
/// for a period without calls, so a client that keeps calling delays it.
public final class TorgServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TorgServer.class);

  /// How many plain requests may block concurrently; RPCs on virtual threads are not bounded by it.
  private static final int WAITING = 1_000;

  /// How long the port and the connections may take to close once no call is served; usually
  /// milliseconds.
  private static final Duration CLOSING = Duration.ofSeconds(1);

  /// A connection without a call in progress is closed after this time.
  private static final Duration IDLE = Duration.ofSeconds(15);

  /// A client that cancels more calls than this in the window is disconnected: opening and resetting streams
  /// costs it nothing and the server a call each.
  private static final int MAX_RESETS = 400;

  private static final int RESET_WINDOW_SECONDS = 60;

  private static final Duration PAUSE = Duration.ofMillis(5);

  private final Server server;
  private final AccessControl accessControl;
  private final Readiness readiness;
  private final CallsInFlight inFlight;
  private final BlockingTaskExecutor waiting;
  private final ServerConfig config;

  private TorgServer(
      Server server,
      AccessControl accessControl,
      Readiness readiness,
      CallsInFlight inFlight,
      BlockingTaskExecutor waiting,
      ServerConfig config) {
    this.server = server;
    this.accessControl = accessControl;
    this.readiness = readiness;
    this.inFlight = inFlight;
    this.waiting = waiting;
    this.config = config;
  }

  public static TorgServer start(
      ServerConfig config,
      TokenService tokens,
      List<RpcBinding> rpcs,
      List<HttpRoute> routes,
      List<ReadinessCheck> checks,
      PrometheusMeterRegistry metrics) {
    Refusals refusals = new Refusals(metrics);
    CallsInFlight inFlight = new CallsInFlight(config.quotas(), refusals, System::nanoTime);
    AccessControl accessControl =
        new AccessControl(
            tokens,
            config.limits(),
            config.quotas().itemsPerCall(),
            inFlight,
            refusals,
            System::nanoTime);
    Readiness readiness = new Readiness(checks);
    BlockingTaskExecutor waiting = virtualThreads();
    try {
      ServerBuilder builder =
          builder(config, inFlight, refusals, metrics).blockingTaskExecutor(waiting, false);
      new ServiceRegistrar(builder, config, accessControl, readiness, metrics).add(rpcs, routes);
      readiness.start();
      TorgServer running =
          new TorgServer(builder.build(), accessControl, readiness, inFlight, waiting, config);
      running.server.start().join();
      RequestIdConverter.serving();
      LOG.info("serving on {}", running.uri());
      return running;
    } catch (RuntimeException | Error e) {
      readiness.close();
      inFlight.close();
      waiting.shutdownNow();
      throw e;
    }
  }

  private static ServerBuilder builder(
      ServerConfig config,
      CallsInFlight inFlight,
      Refusals refusals,
      PrometheusMeterRegistry metrics) {
    Predicate<InetAddress> proxies = trusted(config.trustedProxies());
    return Server.builder()
        .http(new InetSocketAddress(config.host(), config.port()))
        .maxRequestLength(0) // Access control sets it once the caller is known.
        .requestTimeout(config.timeout())
        // A response may precede the end of the body: HTTP/2 clients must have read it before the
        // stream is reset.
        .requestAutoAbortDelay(Duration.ofSeconds(1))
        .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
        .requestIdGenerator(request -> RequestIds.from(request.headers()))
        .clientAddressTrustedProxyFilter(proxies)
        .http2MaxStreamsPerConnection(config.quotas().http2Streams())
        .http2MaxResetFramesPerWindow(MAX_RESETS, RESET_WINDOW_SECONDS)
        .idleTimeout(IDLE)
        .childChannelPipelineCustomizer(
            new ConnectionLimit(config.quotas().connections(), proxies, refusals))
        .meterRegistry(metrics)
        .decorator(new RequestLogDecorator(inFlight));
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
    accessControl.close(config.drain());
    server.stop();
    inFlight.close();
    waiting.shutdownNow();
    awaitClosed();
  }

  /// Armeria reports that it has stopped two seconds after it has closed everything; this does not
  /// wait for that.
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
