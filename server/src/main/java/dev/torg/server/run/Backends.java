package dev.torg.server.run;

import dev.torg.embedded.EmbeddedKafka;
import dev.torg.embedded.EmbeddedPostgres;
import dev.torg.platform.Failure;
import dev.torg.platform.Futures;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.kafka.ConsumerMemory;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.TopicPolicy;
import dev.torg.server.config.Configuration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// PostgreSQL and Kafka: both embedded in the data directory, or both given.
final class Backends implements AutoCloseable {
  /// The embedded servers' directories in the data directory.
  static final String POSTGRES = "postgres";

  static final String KAFKA = "kafka";

  private final String databaseUrl;
  private final KafkaCluster kafka;
  private final TopicPolicy topicPolicy;
  private final Optional<EmbeddedPostgres> ownPostgres;
  private final Optional<EmbeddedKafka> ownKafka;

  private Backends(
      String databaseUrl,
      KafkaCluster kafka,
      TopicPolicy topicPolicy,
      Optional<EmbeddedPostgres> ownPostgres,
      Optional<EmbeddedKafka> ownKafka) {
    this.databaseUrl = databaseUrl;
    this.kafka = kafka;
    this.topicPolicy = topicPolicy;
    this.ownPostgres = ownPostgres;
    this.ownKafka = ownKafka;
  }

  /// Opened with the tables up to date.
  static Backends open(
      Configuration configuration, DataDirectory directory, Migrations migrations) {
    if (configuration.isEmbedded()) {
      return embedded(configuration, directory, migrations);
    }
    String url = configuration.database().orElseThrow();
    Database.requireReachable(url);
    migrations.migrate(url);
    return new Backends(
        url,
        kafka(configuration, configuration.kafka().orElseThrow(), configuration.kafkaSettings()),
        configuration.allowWeakKafka() ? TopicPolicy.EXTERNAL_UNCHECKED : TopicPolicy.EXTERNAL,
        Optional.empty(),
        Optional.empty());
  }

  /// Both start concurrently: each mostly waits for its disk. The tables are created while Kafka, which takes
  /// longer, is still starting.
  private static Backends embedded(
      Configuration configuration, DataDirectory directory, Migrations migrations) {
    Executor background = task -> Thread.ofPlatform().name("embedded-start").start(task);
    CompletableFuture<EmbeddedPostgres> postgres =
        CompletableFuture.supplyAsync(
            () ->
                EmbeddedPostgres.start(
                    directory.in(POSTGRES), configuration.embeddedDatabasePort()),
            background);
    CompletableFuture<EmbeddedKafka> kafka =
        CompletableFuture.supplyAsync(
            () -> EmbeddedKafka.start(directory.in(KAFKA), configuration.embeddedKafkaPort()),
            background);
    try {
      CompletableFuture<Void> tables =
          postgres.thenAccept(server -> migrations.migrate(server.url()));
      CompletableFuture.allOf(tables, kafka).join();
    } catch (CompletionException e) {
      postgres.thenAccept(EmbeddedPostgres::close);
      kafka.thenAccept(EmbeddedKafka::close);
      Throwable cause = Futures.unwrap(e);
      throw Failure.unavailable("embedded.failed", String.valueOf(cause.getMessage()), cause);
    }
    return new Backends(
        postgres.join().url(),
        kafka(configuration, kafka.join().bootstrapServers(), kafka.join().clientSettings()),
        TopicPolicy.EMBEDDED,
        Optional.of(postgres.join()),
        Optional.of(kafka.join()));
  }

  private static KafkaCluster kafka(
      Configuration configuration, String servers, Map<String, String> settings) {
    OptionalLong buffer = configuration.consumerBufferBytes();
    KafkaCluster kafka = new KafkaCluster(servers, "", settings);
    return buffer.isPresent() ? kafka.withMemory(new ConsumerMemory(buffer.getAsLong())) : kafka;
  }

  /// Called, with the reason, when an embedded server is lost.
  void onLoss(Consumer<String> action) {
    ownPostgres.ifPresent(
        postgres -> postgres.onLoss(reason -> action.accept("PostgreSQL is lost: " + reason)));
  }

  String databaseUrl() {
    return databaseUrl;
  }

  boolean isEmbedded() {
    return ownPostgres.isPresent();
  }

  KafkaCluster kafka() {
    return kafka;
  }

  TopicPolicy topicRules() {
    return topicPolicy;
  }

  @Override
  public void close() {
    ownKafka.ifPresent(EmbeddedKafka::close);
    ownPostgres.ifPresent(EmbeddedPostgres::close);
  }
}
