package dev.torg.server.run;

import dev.torg.offers.OfferSettings;
import dev.torg.offers.OffersWiring;
import dev.torg.offers.category.CategoryFile;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.identity.Tokens;
import dev.torg.platform.lease.Leases;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.Relay;
import dev.torg.platform.topics.TopicSpec;
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
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/// A running Torg: everything its roles need, started in order and ended in the opposite one.
///
/// The end: the server stops accepting and drains, background work leaves its leases, coalescers drain, then the
/// pool, the servers and the data directory go.
public final class Torg implements AutoCloseable {
  private static final String OFFERS = "torg.offers";

  /// How long outside consumers may be away without missing an event.
  private static final Duration KEPT = Duration.ofDays(7);

  private static final List<TopicSpec> TOPICS =
      List.of(new TopicSpec(OFFERS, KEPT), new TopicSpec("torg.moderation", KEPT));

  private final Ending ending;
  private final RunningTorg running;
  private final CountDownLatch ended = new CountDownLatch(1);

  private Torg(Ending ending, RunningTorg running) {
    this.ending = ending;
    this.running = running;
  }

  public static Torg start(Configuration configuration, Consumer<String> progress) {
    return start(configuration, progress, List.of());
  }

  /// @param more further services on the same port and database, for benchmarks that compare with the real ones
  public static Torg start(Configuration configuration, Consumer<String> progress, List<ExtraRpcs> more) {
    Logging.configure(configuration);
    Ending ending = new Ending();
    try {
      Torg torg = start(configuration, progress, more, ending);
      Runtime.getRuntime().addShutdownHook(new Thread(torg::close, "torg-end"));
      return torg;
    } catch (RuntimeException | Error e) {
      ending.close();
      throw e;
    }
  }

  /// Services that a benchmark puts beside the real ones.
  public interface ExtraRpcs {
    List<Rpc> on(Database database, Outbox outbox);
  }

  private static Torg start(
      Configuration configuration, Consumer<String> progress, List<ExtraRpcs> more, Ending ending) {
    DataDirectory directory = ending.add(DataDirectory.take(configuration.data()));
    progress.accept(configuration.isEmbedded() ? "starting PostgreSQL and Kafka ..." : "connecting ...");
    Backends backends = ending.add(Backends.open(configuration, directory));
    Migrations.of("platform", OffersWiring.MIGRATIONS).migrate(backends.databaseUrl());
    Database database =
        ending.add(Database.connect(backends.databaseUrl(), configuration.databaseConnections()));
    Topics topics = ending.add(new Topics(backends.kafka(), backends.topicRules()));
    topics.ensure(TOPICS);

    PrometheusMeterRegistry metrics = ending.add(new ProcessMetrics()).registry();
    InstantSource clock = InstantSource.system();
    Outbox outbox = new Outbox();
    Tokens tokens = OwnTokens.open(configuration);

    OffersWiring offers =
        ending.add(
            new OffersWiring(database, outbox, configuration.categories().map(CategoryFile::read).orElseGet(CategoryFile::defaultTree), OfferSettings.standard(), clock, metrics));

    List<Rpc> rpcs = new ArrayList<>();
    offers.services().forEach(service -> rpcs.add(Rpc.async(service)));
    rpcs.add(Rpc.async(new IdentityRpc(tokens, configuration.login())));
    more.forEach(extra -> rpcs.addAll(extra.on(database, outbox)));

    Leases leases = ending.add(new Leases(database));
    if (configuration.roles().contains(Role.RELAY)) {
      new Relay(database, outbox, backends.kafka(), topics, metrics).start(leases);
    }
    TorgServer server =
        ending.add(
            TorgServer.start(
                serverConfig(configuration), tokens, rpcs, List.of(), checks(database, topics), metrics));
    return new Torg(ending, note(configuration, backends, server, clock));
  }

  public RunningTorg running() {
    return running;
  }

  /// Waits until somebody ends it, by Ctrl-C as a rule, and gives the exit code.
  public int awaitEnd() throws InterruptedException {
    ended.await();
    return 0;
  }

  @Override
  public void close() {
    ending.close();
    ended.countDown();
  }

  private static ServerConfig serverConfig(Configuration configuration) {
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
        new ReadinessCheck("database", () -> database.read(tx -> tx.sql("SELECT 1").first(row -> true)).isPresent()),
        new ReadinessCheck("kafka", () -> topics.exists(OFFERS)));
  }

  private static RunningTorg note(
      Configuration configuration, Backends backends, TorgServer server, InstantSource clock) {
    RunningTorg note =
        new RunningTorg(
            ProcessHandle.current().pid(),
            server.uri().toString().replaceAll("/$", ""),
            backends.describeDatabase(),
            backends.kafka().servers(),
            clock.instant());
    note.write(configuration.data());
    return note;
  }
}
