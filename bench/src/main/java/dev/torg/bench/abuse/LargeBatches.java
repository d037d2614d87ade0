package dev.torg.bench.abuse;

import dev.torg.bench.process.ApiClient;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/// Batches of 500: responses of a hundred megabytes, and calls that fill the queue for all other callers.
final class LargeBatches {
  private static final int BATCH = 500;

  private LargeBatches() {}

  private static String ids(List<String> ids) {
    return ids.stream()
        .map(id -> '"' + id + '"')
        .collect(Collectors.joining(",", "{\"ids\":[", "]"));
  }

  /// Requests 500 offers whose descriptions consist of characters that JSON printers escape.
  static final class Responses implements Attack {
    private static final int DESCRIPTION = 40_000;

    private final int offers;
    private final List<String> published = new ArrayList<>();

    Responses(int offers) {
      this.offers = offers;
    }

    @Override
    public String name() {
      return "2-large-answers";
    }

    @Override
    public void prepare(AbuseTarget target) {
      ApiClient seller = target.api().with(target.userToken());
      for (int i = 0; i < offers; i++) {
        var request = ApiClient.JSON.createObjectNode();
        request
            .putObject("offer")
            .put("category", "electronics")
            .put("title", "Angle brackets, lot " + i)
            .put("description", "<".repeat(DESCRIPTION));
        published.add(seller.post("/v1/offers", request).path("id").asText());
      }
    }

    @Override
    public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
      String body = ids(published) + "}";
      attackers.repeat(
          4, Duration.ofMillis(50), () -> target.post("/v1/offers:batchGet", null, body));
    }
  }

  /// Fills the queue of reads with batches that need no token, and repeats one id 500 times in a batch of writes.
  static final class Backlog implements Attack {
    @Override
    public String name() {
      return "10-large-batches";
    }

    @Override
    public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
      String token = target.userToken();
      String offer = target.api().with(token).publish("A phone that is prolonged very often");
      String reads = ids(randomIds()) + "}";
      String writes = ids(Collections.nCopies(BATCH, offer)) + ",\"action\":\"PROLONG\"}";
      attackers.repeat(
          8,
          Duration.ofMillis(5),
          () -> {
            attackers.count("write " + target.post("/v1/offers:batchAct", token, writes));
            return "read " + target.post("/v1/offers:batchGet", null, reads);
          });
    }

    private static List<String> randomIds() {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < BATCH; i++) {
        ids.add(OfferId.random(Home.of("user:" + i)).toString());
      }
      return ids;
    }
  }
}
