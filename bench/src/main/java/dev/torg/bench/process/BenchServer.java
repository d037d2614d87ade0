package dev.torg.bench.process;

import dev.torg.embedded.EmbeddedKafka;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.kafka.TopicPolicy;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.SettingValues;
import dev.torg.server.run.Logging;
import dev.torg.server.run.Torg;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// The server of a benchmark, in a separate process: Torg on a directory and a free port, with
/// little logging and high limits.
public final class BenchServer {
  private BenchServer() {}

  /// Serves until the process is terminated.
  ///
  /// @param arguments the data directory and, where it is not embedded, the address of the database
  /// @param special settings in addition to the usual ones
  /// @param more the baseline services, on the same port
  public static void serve(String[] arguments, Map<Setting, String> special, Torg.MoreRpcs more)
      throws InterruptedException {
    Map<Setting, String> options = new EnumMap<>(Setting.class);
    options.put(Setting.DATA, arguments[0]);
    options.put(Setting.PORT, "0");
    options.put(Setting.RATE_LIMIT, "1000000");
    options.put(Setting.HTTP2_STREAMS, "10000");
    options.put(Setting.CALLS_PER_ADDRESS, "10000");
    options.put(Setting.LOG_LEVEL, "warn");
    options.putAll(special);
    Torg torg = arguments.length > 1 ? startOn(arguments[1], options, more) : start(options, more);
    System.exit(torg.awaitEnd());
  }

  private static Torg start(Map<Setting, String> options, Torg.MoreRpcs more) {
    return Torg.start(configuration(options), System.err::println, more);
  }

  private static Configuration configuration(Map<Setting, String> options) {
    return Configuration.of(SettingValues.read(options, Map.of(), Optional.empty()));
  }

  /// Starts Kafka where `torg up` embeds it, with the same topics, and Torg on both. The development login is on as with
  /// an embedded database: the server is reachable from this machine only.
  private static Torg startOn(String database, Map<Setting, String> options, Torg.MoreRpcs more) {
    Logging.configure(configuration(options));
    Path directory = TorgProcess.kafkaDirectory(Path.of(options.get(Setting.DATA)));
    EmbeddedKafka kafka = EmbeddedKafka.start(directory);
    try {
      createTopics(new KafkaCluster(kafka.bootstrapServers(), "", kafka.clientSettings()));
      options.put(Setting.DB, database);
      options.put(Setting.KAFKA, kafka.bootstrapServers());
      options.put(Setting.KAFKA_PROPERTIES, EmbeddedKafka.clientSettingsFile(directory).toString());
      options.put(Setting.ALLOW_WEAK_KAFKA, "true");
      options.put(Setting.LOGIN, "insecure");
      Torg torg = start(options, more);
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> closeAfter(torg, kafka), "bench-kafka-end"));
      return torg;
    } catch (RuntimeException e) {
      kafka.close();
      throw e;
    }
  }

  private static void createTopics(KafkaCluster kafka) {
    try (TopicAdmin topics = new TopicAdmin(kafka, TopicPolicy.EMBEDDED)) {
      topics.ensure(Torg.topics());
    }
  }

  /// Shutdown hooks run concurrently, and Torg needs Kafka until its end.
  private static void closeAfter(Torg torg, EmbeddedKafka kafka) {
    try {
      torg.awaitEnd();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    kafka.close();
  }
}
