package dev.torg.server.run;

import dev.torg.offers.OfferSettings;
import dev.torg.offers.OffersWiring;
import dev.torg.offers.category.CategoryFile;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.idempotency.PurgeKeys;
import dev.torg.platform.identity.Tokens;
import dev.torg.platform.lease.Jobs;
import dev.torg.platform.lease.Leases;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.Relay;
import dev.torg.platform.topics.ConsumerLoop;
import dev.torg.platform.topics.Parked;
import dev.torg.platform.topics.Topics;
import dev.torg.server.IdentityRpc;
import dev.torg.server.ReadinessCheck;
import dev.torg.server.Rpc;
import dev.torg.server.ServerConfig;
import dev.torg.server.TorgServer;
import dev.torg.server.access.Limit;
import dev.torg.server.access.Limits;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Role;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A running Torg: everything its roles need, started in order and ended in the opposite one.
///
/// The end: the server stops accepting and drains, background work leaves its leases, coalescers
/// drain, then the pool, the servers and the data directory go.
public final class Torg implements AutoCloseable {
  private static final Duration PURGE = Duration.ofMinutes(10);

  private final Ending ending;
  private final RunningTorg running;

  private Torg(Ending ending, RunningTorg running) {
    this.ending = ending;
    this.running = running;
  }

  public static Torg start(Configuration configuration, Consumer<String> progress) {
    return start(configuration, progress, (url, outbox) -> List.of());
  }

  /// @param more further services on the same port and database, for benchmarks that compare
  public static Torg start(Configuration configuration, Consumer<String> progress, MoreRpcs more) {
    Logging.configure(configuration);
    Ending ending = new Ending();
    Runtime.getRuntime().addShutdownHook(new Thread(ending::end, "torg-end"));
    try {
      return new Torg(ending, new Start(configuration, ending, more).run(progress));
    } catch (RuntimeException | Error e) {
      ending.close();
      throw e;
    } finally {
      ending.startIsOver();
    }
  }

  /// Services beside the rooms' own.
  public interface MoreRpcs {
    List<Rpc> on(String databaseUrl, Outbox outbox);
  }

  public RunningTorg running() {
    return running;
  }

  /// Waits until somebody ends it, by Ctrl-C as a rule, and gives the exit code: 1 when it ended because it could not
  /// go on.
  public int awaitEnd() throws InterruptedException {
    return ending.await();
  }

  @Override
  public void close() {
    ending.close();
  }

  /// One start, step by step. Whatever is started goes on the list of what must end.
  private static final class Start {
    private final Configuration configuration;
    private final Ending ending;
    private final MoreRpcs more;
    private final InstantSource clock = InstantSource.system();

    Start(Configuration configuration, Ending ending, MoreRpcs more) {
      this.configuration = configuration;
      this.ending = ending;
      this.more = more;
    }

    RunningTorg run(Consumer<String> progress) {
      DataDirectory directory = ending.add(DataDirectory.take(configuration.data()));
      requireFreePort();
      progress.accept(
          configuration.isEmbedded() ? "starting PostgreSQL and Kafka ..." : "connecting ...");
      Backends backends = ending.add(Backends.open(configuration, directory));
      Migrations.of("platform", OffersWiring.MIGRATIONS).migrate(backends.databaseUrl());
      Database database =
          ending.add(Database.connect(backends.databaseUrl(), configuration.databaseConnections()));
      backends.onLoss(
          why -> Thread.ofPlatform().name("torg-fail").start(() -> giveUp(database, why)));
      Topics topics = ending.add(new Topics(backends.kafka(), backends.topicRules()));
      topics.ensure(OffersWiring.TOPICS);
      ProcessMetrics metrics = ending.add(new ProcessMetrics());
      Outbox outbox = new Outbox();
      Tokens tokens = OwnTokens.open(configuration);
      OffersWiring offers = ending.add(offers(database, outbox, tokens, metrics.registry()));

      Leases leases = ending.add(new Leases(database));
      if (configuration.roles().contains(Role.RELAY)) {
        new Relay(database, outbox, backends.kafka(), topics, metrics.registry()).start(leases);
      }
      if (configuration.roles().contains(Role.JOBS)) {
        startJobs(database, leases, offers);
        startConsumers(database, backends, offers, metrics.registry());
      }
      TorgServer server =
          ending.add(
              TorgServer.start(
                  serverConfig(),
                  tokens,
                  rpcs(backends, outbox, tokens, offers),
                  List.of(),
                  checks(database, topics),
                  metrics.registry()));
      return note(backends, server);
    }

    /// The pool goes first: nobody shall wait for answers that cannot come.
    private void giveUp(Database database, String why) {
      database.close();
      ending.fail(why);
    }

    /// Said before anything is started: a taken port is the commonest mistake.
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

    private OffersWiring offers(
        Database database, Outbox outbox, Tokens tokens, MeterRegistry registry) {
      return new OffersWiring(
          new OffersWiring.Ground(database, outbox, tokens::verify, clock, registry),
          configuration.categories().map(CategoryFile::read).orElseGet(CategoryFile::defaultTree),
          OfferSettings.standard());
    }

    /// Every process answers health and metrics; only role api answers the rooms' calls.
    private List<Rpc> rpcs(Backends backends, Outbox outbox, Tokens tokens, OffersWiring offers) {
      List<Rpc> rpcs = new ArrayList<>();
      if (configuration.roles().contains(Role.API)) {
        rpcs.add(Rpc.async(new IdentityRpc(tokens, configuration.login())));
        offers.services().forEach(service -> rpcs.add(Rpc.async(service)));
        rpcs.addAll(more.on(backends.databaseUrl(), outbox));
      }
      return rpcs;
    }

    private void startJobs(Database database, Leases leases, OffersWiring offers) {
      Jobs jobs = new Jobs(leases, clock);
      offers.schedule(jobs);
      jobs.every(PURGE, "idempotency.purge", new PurgeKeys(database));
    }

    private void startConsumers(
        Database database, Backends backends, OffersWiring offers, MeterRegistry registry) {
      Parked parked = new Parked(database, clock);
      for (OffersWiring.Consumer consumer : offers.consumers()) {
        ConsumerLoop loop =
            new ConsumerLoop(
                backends.kafka(), consumer.spec(), consumer.handler(), parked, registry);
        ending.add(loop).start();
      }
    }

    private ServerConfig serverConfig() {
      Limits limits =
          new Limits(
              new Limit(configuration.callsPerSecond(), Duration.ofSeconds(1)),
              new Limit(configuration.anonymousPerMinute(), Duration.ofMinutes(1)),
              Limits.DEFAULT.badTokens());
      return ServerConfig.local(configuration.port())
          .withHost(configuration.host())
          .withLimits(limits)
          .withTrustedProxies(configuration.trustedProxies());
    }

    private static List<ReadinessCheck> checks(Database database, Topics topics) {
      return List.of(
          new ReadinessCheck(
              "database",
              () -> database.read(tx -> tx.sql("SELECT 1").first(row -> true)).isPresent()),
          new ReadinessCheck("kafka", topics::answers));
    }

    private RunningTorg note(Backends backends, TorgServer server) {
      RunningTorg note =
          new RunningTorg(
              ProcessHandle.current().pid(),
              server.uri().toString(),
              backends.describeDatabase(),
              backends.kafka().servers(),
              clock.instant());
      note.write(configuration.data());
      return note;
    }
  }
}
