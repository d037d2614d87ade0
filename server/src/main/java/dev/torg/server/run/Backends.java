package dev.torg.server.run;

import dev.torg.embedded.EmbeddedKafka;
import dev.torg.embedded.EmbeddedPostgres;
import dev.torg.platform.topics.Kafka;
import dev.torg.platform.topics.TopicRules;
import dev.torg.server.config.Configuration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// PostgreSQL and Kafka: both embedded in the data directory, or both given.
final class Backends implements AutoCloseable {
  private final String databaseUrl;
  private final Kafka kafka;
  private final TopicRules topicRules;
  private final Optional<EmbeddedPostgres> ownPostgres;
  private final Optional<EmbeddedKafka> ownKafka;

  private Backends(
      String databaseUrl,
      Kafka kafka,
      TopicRules topicRules,
      Optional<EmbeddedPostgres> ownPostgres,
      Optional<EmbeddedKafka> ownKafka) {
    this.databaseUrl = databaseUrl;
    this.kafka = kafka;
    this.topicRules = topicRules;
    this.ownPostgres = ownPostgres;
    this.ownKafka = ownKafka;
  }

  static Backends open(Configuration configuration, DataDirectory directory) {
    if (configuration.isEmbedded()) {
      return embedded(configuration, directory);
    }
    return new Backends(
        configuration.database().orElseThrow(),
        Kafka.at(configuration.kafka().orElseThrow()),
        configuration.allowWeakKafka() ? TopicRules.GIVEN_WEAK : TopicRules.GIVEN,
        Optional.empty(),
        Optional.empty());
  }

  /// Both start side by side: each spends its time waiting for its disk.
  private static Backends embedded(Configuration configuration, DataDirectory directory) {
    Executor aside = task -> Thread.ofPlatform().name("embedded-start").start(task);
    CompletableFuture<EmbeddedPostgres> postgres =
        CompletableFuture.supplyAsync(
            () ->
                EmbeddedPostgres.start(
                    directory.in("postgres"), configuration.embeddedDatabasePort()),
            aside);
    CompletableFuture<EmbeddedKafka> kafka =
        CompletableFuture.supplyAsync(
            () -> EmbeddedKafka.start(directory.in("kafka"), configuration.embeddedKafkaPort()),
            aside);
    try {
      CompletableFuture.allOf(postgres, kafka).join();
    } catch (CompletionException e) {
      postgres.thenAccept(EmbeddedPostgres::close);
      kafka.thenAccept(EmbeddedKafka::close);
      throw e;
    }
    return new Backends(
        postgres.join().url(),
        Kafka.at(kafka.join().bootstrapServers()),
        TopicRules.EMBEDDED,
        Optional.of(postgres.join()),
        Optional.of(kafka.join()));
  }

  /// Called, with the reason, when an embedded server is gone for good.
  void onLoss(Consumer<String> action) {
    ownPostgres.ifPresent(
        postgres -> postgres.onLoss(why -> action.accept("PostgreSQL is lost: " + why)));
  }

  String databaseUrl() {
    return databaseUrl;
  }

  /// For people: as psql takes it, without the password.
  String describeDatabase() {
    return databaseUrl
        .replaceFirst("^jdbc:", "")
        .replaceAll("([?&])password=[^&]*&?", "$1")
        .replaceAll("[?&]$", "");
  }

  Kafka kafka() {
    return kafka;
  }

  TopicRules topicRules() {
    return topicRules;
  }

  @Override
  public void close() {
    ownKafka.ifPresent(EmbeddedKafka::close);
    ownPostgres.ifPresent(EmbeddedPostgres::close);
  }
}
