package dev.torg.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;

/// The embedded broker's deviations from Kafka's defaults: durable without replicas, quick to
/// start, small.
final class BrokerSettings {
  static final String CONTROLLER = "CONTROLLER";
  private static final String CLIENTS = "CLIENTS";

  private BrokerSettings() {}

  /// @param login the login that connections require; null for a broker without authentication
  static Properties of(
      int node, Path directory, int port, int controllerPort, Optional<BrokerLogin> login) {
    Properties settings = new Properties();
    listeners(settings, node, directory, port, controllerPort);
    security(settings, login);
    durable(settings);
    internalTopics(settings);
    small(settings);
    return settings;
  }

  private static void listeners(
      Properties settings, int node, Path directory, int port, int controllerPort) {
    settings.setProperty("process.roles", "broker,controller");
    settings.setProperty("node.id", Integer.toString(node));
    settings.setProperty("controller.quorum.voters", node + "@127.0.0.1:" + controllerPort);
    settings.setProperty("controller.listener.names", CONTROLLER);
    settings.setProperty(
        "listeners",
        "%s://127.0.0.1:%d,%s://127.0.0.1:%d".formatted(CLIENTS, port, CONTROLLER, controllerPort));
    settings.setProperty("advertised.listeners", "%s://127.0.0.1:%d".formatted(CLIENTS, port));
    settings.setProperty("inter.broker.listener.name", CLIENTS);
    settings.setProperty("log.dirs", directory.toString());
    // No other broker could take over, however long the machine is suspended.
    settings.setProperty("broker.session.timeout.ms", Long.toString(Duration.ofDays(1).toMillis()));
    settings.setProperty("broker.heartbeat.interval.ms", "500");
    // A stop is treated like a kill: the next start removes the leaderships, when no client
    // commits.
    settings.setProperty("controlled.shutdown.enable", "false");
  }

  /// Both listeners authenticate: a client with access to the controller could change everything as
  /// well.
  private static void security(Properties settings, Optional<BrokerLogin> login) {
    String protocol = login.isPresent() ? "SASL_PLAINTEXT" : "PLAINTEXT";
    settings.setProperty(
        "listener.security.protocol.map",
        "%s:%s,%s:%s".formatted(CLIENTS, protocol, CONTROLLER, protocol));
    login.ifPresent(present -> requireLogin(settings, present));
  }

  private static void requireLogin(Properties settings, BrokerLogin login) {
    settings.setProperty("sasl.enabled.mechanisms", "PLAIN");
    settings.setProperty("sasl.mechanism.inter.broker.protocol", "PLAIN");
    settings.setProperty("sasl.mechanism.controller.protocol", "PLAIN");
    for (String listener : List.of(CLIENTS, CONTROLLER)) {
      settings.setProperty(
          "listener.name.%s.plain.sasl.jaas.config".formatted(listener.toLowerCase(Locale.ROOT)),
          login.serverModule());
    }
  }

  /// Without other replicas only the disk holds what was acknowledged: force every append.
  private static void durable(Properties settings) {
    settings.setProperty("log.flush.interval.messages", "1");
    settings.setProperty("auto.create.topics.enable", "false");
    settings.setProperty("default.replication.factor", "1");
    settings.setProperty("min.insync.replicas", "1");
    settings.setProperty("unclean.leader.election.enable", "false");
  }

  /// One replica, and few partitions: creating and opening fifty of each takes seconds.
  private static void internalTopics(Properties settings) {
    settings.setProperty("offsets.topic.replication.factor", "1");
    settings.setProperty("offsets.topic.num.partitions", "4");
    settings.setProperty("transaction.state.log.replication.factor", "1");
    settings.setProperty("transaction.state.log.min.isr", "1");
    settings.setProperty("transaction.state.log.num.partitions", "4");
    // The relay's next transaction often begins before the markers of its last one are all written.
    settings.setProperty("add.partitions.to.txn.retry.backoff.ms", "2");
    settings.setProperty("share.coordinator.state.topic.replication.factor", "1");
    settings.setProperty("share.coordinator.state.topic.min.isr", "1");
    settings.setProperty("share.coordinator.state.topic.num.partitions", "1");
    settings.setProperty("group.initial.rebalance.delay.ms", "0");
  }

  private static void small(Properties settings) {
    settings.setProperty("num.network.threads", "2");
    settings.setProperty("num.io.threads", "4");
    settings.setProperty("background.threads", "2");
    settings.setProperty("num.recovery.threads.per.data.dir", "2");
    // 4 MiB index 180,000 keys a pass: ample for the compacted topics of one machine.
    settings.setProperty("log.cleaner.dedupe.buffer.size", "4194304");
    settings.setProperty("log.cleaner.io.buffer.size", "131072");
    settings.setProperty("log.segment.bytes", "134217728");
    // A segment of 128 MiB has 32,768 index entries of at most 12 bytes.
    settings.setProperty("log.index.size.max.bytes", "1048576");
    settings.setProperty("metadata.log.segment.bytes", "16777216");
    settings.setProperty("queued.max.requests", "100");
  }
}
