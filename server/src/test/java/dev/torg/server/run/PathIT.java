package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.torg.api.v1.OfferEvent;
import dev.torg.offers.OfferTopics;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Setting;
import dev.torg.server.config.SettingValues;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestKafka;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// The whole path on real servers: API, coalescer, PostgreSQL, outbox, relay, Kafka, a consumer.
/// TORG_TEST_DB and TORG_TEST_KAFKA select external servers.
@Tag(TestTorg.OWN)
class PathIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.empty();
  @TempDir static Path data;

  private static Torg torg;
  private static String token;

  @BeforeAll
  static void start() {
    Map<Setting, String> options =
        Map.of(
            Setting.DATA, data.toString(),
            Setting.PORT, "0",
            Setting.DB, DATABASE.url(),
            Setting.KAFKA, TestKafka.servers(),
            Setting.ALLOW_WEAK_KAFKA, "true");
    Configuration configuration =
        Configuration.of(SettingValues.read(options, Map.of(), Optional.empty()));
    torg = Torg.start(configuration, progress -> {});
    token =
        TokenServiceFactory.open(configuration)
            .issue("user:42", Set.of(Role.USER), TIMEOUT)
            .token();
  }

  @AfterAll
  static void stop() {
    torg.close();
  }

  @Test
  void publish_thenEdit_isStoredAndPublishedInOrder() throws Exception {
    JsonNode published =
        send(
            "POST",
            "/v1/offers",
            "{\"offer\":{\"category\":\"electronics\",\"title\":\"A lamp\"}}");
    String id = published.path("id").asText();
    JsonNode edited =
        send(
            "PUT",
            "/v1/offers/" + id,
            "{\"offer\":{\"category\":\"electronics\",\"title\":\"A better lamp\"},\"version\":\"1\"}");
    assertThat(edited.path("version").asText()).isEqualTo("2");
    assertThat(send("GET", "/v1/offers/" + id, "")).isEqualTo(edited);

    List<OfferEvent> events = eventsOf(id, 2);
    assertThat(events).extracting(OfferEvent::getVersion).containsExactly(1L, 2L);
    assertThat(events.getLast().getAfter().getTitle()).isEqualTo("A better lamp");
    assertThat(events.getLast().getBefore().getTitle()).isEqualTo("A lamp");
    assertThat(events.getLast().getChangedList()).containsExactly("title");
  }

  private static JsonNode send(String method, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(torg.running().address() + path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .header("Authorization", "Bearer " + token)
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      return JSON.readTree(response.body());
    }
  }

  private static List<OfferEvent> eventsOf(String id, int count) throws Exception {
    Map<String, Object> settings =
        Map.of(
            "group.id", "path-it-" + id,
            "auto.offset.reset", "earliest",
            "isolation.level", "read_committed");
    List<OfferEvent> events = new ArrayList<>();
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    try (KafkaConsumer<String, byte[]> consumer =
        KafkaCluster.at(TestKafka.servers()).consumer(settings)) {
      consumer.subscribe(List.of(OfferTopics.OFFERS));
      while (events.size() < count && System.nanoTime() < deadline) {
        for (ConsumerRecord<String, byte[]> received : consumer.poll(Duration.ofMillis(200))) {
          if (received.key().equals(id)) {
            events.add(OfferEvent.parseFrom(received.value()));
          }
        }
      }
    }
    return events;
  }
}
