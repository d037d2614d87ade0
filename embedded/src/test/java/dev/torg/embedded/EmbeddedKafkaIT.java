package dev.torg.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaIT {
  private static final String TOPIC = "letters";

  @TempDir Path directory;

  @Test
  void start_afterClose_keepsTopicsAndRecords() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
      write(clientOf(kafka), 0, 10);
    }
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
      assertThat(read(clientOf(kafka), 10)).isEqualTo(letters(10));
    }
  }

  @Test
  void start_afterKill_keepsEverythingAcknowledged() throws Exception {
    Process process = WriteUntilKilled.start(directory);
    int acknowledged = WriteUntilKilled.acknowledged(process, 100);
    process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
      assertThat(read(clientOf(kafka), acknowledged)).startsWith(first(acknowledged));
    }
  }

  @Test
  void start_configuredPort_listensThereOnLoopbackOnly() {
    int port;
    try (EmbeddedKafka first = EmbeddedKafka.start(directory)) {
      port = first.port();
    }
    try (EmbeddedKafka restarted = EmbeddedKafka.start(directory, port)) {
      assertThat(restarted.bootstrapServers()).isEqualTo("127.0.0.1:" + port);
    }
  }

  @Test
  void start_anyTopic_flushesEveryMessage() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory);
        Admin admin = Admin.create(clientOf(kafka))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
      ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, TOPIC);
      assertThat(admin.describeConfigs(List.of(topic)).all().get().get(topic).get("flush.messages"))
          .satisfies(entry -> assertThat(entry.value()).isEqualTo("1"));
    }
  }

  @Test
  void close_temporary_leavesNoFiles() throws IOException {
    Collection<Path> before = temporaries();
    EmbeddedKafka.temporary().close();
    assertThat(temporaries()).isEqualTo(before);
  }

  private static Collection<Path> temporaries() throws IOException {
    try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files.filter(f -> f.getFileName().toString().startsWith("torg-kafka")).toList();
    }
  }

  static Map<String, Object> clientOf(EmbeddedKafka kafka) {
    Map<String, Object> client = new HashMap<>(kafka.clientSettings());
    client.put("bootstrap.servers", kafka.bootstrapServers());
    return client;
  }

  static void write(Map<String, Object> client, int from, int to) throws Exception {
    try (Admin admin = Admin.create(client)) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
    }
    try (var producer = producer(client)) {
      for (int i = from; i < to; i++) {
        producer.send(new ProducerRecord<>(TOPIC, "letter-" + i)).get();
      }
    }
  }

  static KafkaProducer<String, String> producer(Map<String, Object> client) {
    return new KafkaProducer<>(client, new StringSerializer(), new StringSerializer());
  }

  private static List<String> read(Map<String, Object> client, int atLeast) {
    List<String> read = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(new TopicPartition(TOPIC, 0)));
      consumer.seekToBeginning(consumer.assignment());
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (read.size() < atLeast && System.nanoTime() < end) {
        consumer.poll(Duration.ofMillis(200)).forEach(record -> read.add(record.value()));
      }
    }
    return read;
  }

  private static List<String> letters(int count) {
    return IntStream.range(0, count).mapToObj(i -> "letter-" + i).toList();
  }

  private static String[] first(int count) {
    return letters(count).toArray(String[]::new);
  }
}
