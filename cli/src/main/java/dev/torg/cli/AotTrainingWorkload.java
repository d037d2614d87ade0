package dev.torg.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.bench.process.ApiClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The load of a small site: offers are published, read, edited, uploaded by a feed, and announced to
/// recipients. It runs until the JVM has profiled the hot code, so that a server of that build compiles it when
/// it starts and not in its first minutes.
final class AotTrainingWorkload {
  private static final int SELLERS = 8;

  /// Fewer than the streams that the server accepts on one connection.
  private static final int MAX_CONCURRENT_CALLS = 32;

  /// Enough offers that most alerts are written one by one and some are collapsed.
  private static final int RECIPIENTS = 200;

  private static final int FEED_ITEMS = 8_000;

  private final ApiClient anonymous;

  AotTrainingWorkload(ApiClient anonymous) {
    this.anonymous = anonymous;
  }

  void play(Duration time) throws InterruptedException, ExecutionException {
    try (ExecutorService executor =
        Executors.newFixedThreadPool(MAX_CONCURRENT_CALLS, Thread.ofVirtual().factory())) {
      List<Future<?>> played = new ArrayList<>();
      for (int i = 0; i < RECIPIENTS; i++) {
        int number = i;
        played.add(executor.submit(() -> subscribe(number)));
      }
      long end = System.nanoTime() + time.toNanos();
      for (int i = 0; i < SELLERS; i++) {
        int number = i;
        played.add(executor.submit(() -> sell(number, end)));
      }
      played.add(executor.submit(this::feed));
      for (Future<?> future : played) {
        future.get();
      }
    }
  }

  private void subscribe(int number) {
    ApiClient recipient = anonymous.loggedInAs("reader" + number);
    recipient.search(word(number));
    recipient.follow("user:seller" + number);
    recipient.get("/v1/favorites?kind=SEARCH");
  }

  private void sell(int number, long end) {
    ApiClient seller = anonymous.loggedInAs("seller" + number);
    for (int i = number; System.nanoTime() < end; i += SELLERS) {
      String offer = "/v1/offers/" + seller.publish("A lamp, " + word(i % RECIPIENTS));
      JsonNode published = seller.get(offer);
      seller.send("PUT", offer, edited(published), Map.of());
      seller.get("/v1/sellers/me/presets");
      anonymous.get(offer);
      anonymous.loggedInAs("reader" + i % RECIPIENTS).get("/v1/notifications");
    }
  }

  private static JsonNode edited(JsonNode offer) {
    ObjectNode request = ApiClient.JSON.createObjectNode();
    ObjectNode fields = request.putObject("offer");
    fields.put("category", "electronics").put("title", offer.path("title").asText());
    fields.putObject("price").put("amount", "100").put("currency", "EUR");
    return request.put("version", offer.path("version").asText());
  }

  private void feed() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < FEED_ITEMS; i++) {
      ObjectNode item = ApiClient.JSON.createObjectNode().put("externalId", "item" + i);
      item.put("category", "electronics").put("title", "Item " + i);
      item.put("description", "A " + word(i % RECIPIENTS) + " that is hardly used, with its box.");
      item.putObject("price").put("amount", "100").put("currency", "EUR");
      lines.append(item).append('\n');
    }
    anonymous
        .loggedInAs("feeder")
        .upload(
            "/v1/feeds/me?taskId=1&format=ndjson&complete=true",
            BodyPublishers.ofString(lines.toString()));
  }

  private static String word(int number) {
    return "word" + number;
  }
}
