package dev.torg.server.run;

import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.platform.idempotency.PurgeIdempotencyKeysJob;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ParkedEventStore;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.module.ModuleContext;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.relay.Relay;
import dev.torg.server.IdentityRpc;
import dev.torg.server.ReadinessCheck;
import dev.torg.server.ServerConfig;
import dev.torg.server.TorgServer;
import dev.torg.server.access.RateLimit;
import dev.torg.server.access.RateLimits;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Role;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RpcBinding;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One start, step by step. Everything that is started is registered for shutdown.
final class Start {
  private static final Logger LOG = LoggerFactory.getLogger(Start.class);

  private static final Duration PURGE = Duration.ofMinutes(10);

  /// After this time a start has progressed so far that jobs do not slow it down.
  private static final Duration JOB_START_DELAY = Duration.ofSeconds(20);

  /// A separate pool for the leases: requests that exhaust the main pool must not cost this process its leases.
  private static final int LEASE_POOL_SIZE = 2;

  private final Configuration configuration;
  private final ShutdownStack shutdown;
  private final Torg.MoreRpcs more;
  private final InstantSource clock = InstantSource.system();

  Start(Configuration configuration, ShutdownStack shutdown, Torg.MoreRpcs more) {
    this.configuration = configuration;
    this.shutdown = shutdown;
    this.more = more;
  }

  RunningInstance run(Consumer<String> progress) {
    DataDirectory directory = shutdown.add(DataDirectory.acquire(configuration.data()));
    requireFreePort();
    ExposureWarnings.of(configuration).forEach(LOG::warn);
    progress.accept(
        configuration.isEmbedded() ? "starting PostgreSQL and Kafka ..." : "connecting ...");
    Backends backends = shutdown.add(Backends.open(configuration, directory, Modules.MIGRATIONS));
    Database database =
        shutdown.add(Database.connect(backends.databaseUrl(), configuration.databaseConnections()));
    backends.onLoss(
        reason ->
            Thread.ofPlatform().name("torg-fail").start(() -> failAfterLoss(database, reason)));
    TopicAdmin topicAdmin = topics(backends);
    ProcessMetrics metrics = shutdown.add(new ProcessMetrics());
    ProcessContext context =
        new ProcessContext(
            configuration,
            new ModuleContext(database, new Outbox(), clock, metrics.registry()),
            backends.kafka(),
            TokenServiceFactory.open(configuration));
    Modules modules = Modules.open(context, shutdown);
    startWork(context.module(), backends, topicAdmin, modules);
    TorgServer server =
        shutdown.add(
            TorgServer.start(
                serverConfig(),
                context.tokens(),
                rpcs(backends, context, modules),
                routes(modules),
                checks(database, topicAdmin, modules),
                metrics.registry()));
    shutdown.add(modules::drain);
    return note(backends, server);
  }

  private TopicAdmin topics(Backends backends) {
    try {
      TopicAdmin topicAdmin = shutdown.add(new TopicAdmin(backends.kafka(), backends.topicRules()));
      topicAdmin.ensure(Modules.TOPICS);
      return topicAdmin;
    } catch (KafkaException e) {
      throw Failure.unavailable(
          "kafka.unreachable",
          "cannot use Kafka at %s: %s".formatted(backends.kafka().servers(), e.getMessage()),
          e);
    }
  }

  /// The pool closes first: calls must not wait for results that cannot arrive.
  private void failAfterLoss(Database database, String reason) {
    database.close();
    shutdown.fail(reason);
  }

  /// Checked first: an occupied port is the most common mistake.
  private void requireFreePort() {
    InetSocketAddress address = new InetSocketAddress(configuration.host(), configuration.port());
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(address);
    } catch (IOException e) {
      throw Failure.conflict(
          "port.taken", "cannot listen on %s: %s".formatted(address, e.getMessage()));
    }
  }

  private void startWork(
      ModuleContext context, Backends backends, TopicAdmin topicAdmin, Modules modules) {
    Database reserve = shutdown.add(Database.connect(backends.databaseUrl(), LEASE_POOL_SIZE));
    LeaseCoordinator leases = shutdown.add(new LeaseCoordinator(reserve));
    if (configuration.roles().contains(Role.RELAY)) {
      new Relay(
              context.database(), context.outbox(), backends.kafka(), topicAdmin, context.metrics())
          .start(leases);
    }
    JobScheduler jobs = new JobScheduler(leases, clock, JOB_START_DELAY);
    if (configuration.roles().contains(Role.JOBS)) {
      jobs.every(PURGE, "idempotency.purge", new PurgeIdempotencyKeysJob(context.database()));
    }
    modules.start(
        new BackgroundRuntime(
            configuration.roles(),
            backends.kafka(),
            backends.topicRules().partitions(),
            new ParkedEventStore(context.database(), clock),
            leases,
            jobs,
            shutdown));
  }

  /// Every process serves health and metrics; only role api serves the modules' calls.
  private List<RpcBinding> rpcs(Backends backends, ProcessContext context, Modules modules) {
    if (!configuration.roles().contains(Role.API)) {
      return List.of();
    }
    List<RpcBinding> rpcs = new ArrayList<>();
    rpcs.add(RpcBinding.async(new IdentityRpc(context.tokens(), configuration.login())));
    rpcs.addAll(modules.rpcs());
    rpcs.addAll(more.on(backends.databaseUrl(), context.module().outbox()));
    return rpcs;
  }

  private List<HttpRoute> routes(Modules modules) {
    return configuration.roles().contains(Role.API) ? modules.routes() : List.of();
  }

  private ServerConfig serverConfig() {
    RateLimits limits =
        new RateLimits(
            new RateLimit(configuration.callsPerSecond(), Duration.ofSeconds(1)),
            new RateLimit(configuration.anonymousPerMinute(), Duration.ofMinutes(1)),
            RateLimits.defaults().badTokens());
    return ServerConfig.local(configuration.port())
        .withHost(configuration.host())
        .withLimits(limits)
        .withTrustedProxies(configuration.trustedProxies())
        .withTimeout(configuration.quotas().callTimeout())
        .withQuotas(configuration.quotas().quotas());
  }

  private static List<ReadinessCheck> checks(
      Database database, TopicAdmin topicAdmin, Modules modules) {
    List<ReadinessCheck> checks = new ArrayList<>();
    checks.add(
        new ReadinessCheck(
            "database",
            () -> database.read(tx -> tx.sql("SELECT 1").first(row -> true)).isPresent()));
    checks.add(new ReadinessCheck("kafka", topicAdmin::isReachable));
    checks.addAll(modules.checks());
    return checks;
  }

  private RunningInstance note(Backends backends, TorgServer server) {
    RunningInstance note =
        new RunningInstance(
            ProcessHandle.current().pid(),
            server.uri().toString(),
            backends.databaseUrl().replaceFirst("^jdbc:", ""),
            backends.kafka().servers(),
            backends.isEmbedded(),
            clock.instant());
    note.write(configuration.data());
    return note;
  }
}
