package dev.torg.bench.abuse;

import dev.torg.bench.process.ApiClient;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
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

  /// Requests responses just below the maximum, of text that compresses badly, from clients that accept gzip.
  static final class CompressedResponses implements Attack {
    private static final int OFFERS = 150;
    private static final int DESCRIPTION = 40_000;
    private static final int ATTACKERS = 8;

    private final List<String> published = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    @Override
    public String name() {
      return "2-compressed-answers";
    }

    @Override
    public void prepare(AbuseTarget target) {
      ApiClient seller = target.api().with(target.userToken());
      Random random = new Random(1);
      for (int i = 0; i < OFFERS; i++) {
        var request = ApiClient.JSON.createObjectNode();
        request
            .putObject("offer")
            .put("category", "electronics")
            .put("title", "Random letters, lot " + i)
            .put("description", letters(random));
        published.add(seller.post("/v1/offers", request).path("id").asText());
      }
    }

    private static String letters(Random random) {
      StringBuilder text = new StringBuilder();
      random.ints(DESCRIPTION, 'a', 'z' + 1).forEach(text::appendCodePoint);
      return text.toString();
    }

    @Override
    public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
      byte[] body = (ids(published) + "}").getBytes(StandardCharsets.US_ASCII);
      attackers.repeat(
          2 * ATTACKERS,
          Duration.ofMillis(50),
          () -> response(target, next.incrementAndGet() % ATTACKERS, body));
    }

    /// Sends the request and reads the response to its end; returns the status.
    private static String response(AbuseTarget target, int attacker, byte[] body)
        throws IOException {
      try (Socket socket = target.connect(attacker)) {
        String head =
            "POST /v1/offers:batchGet HTTP/1.1\r\nHost: %s\r\nAccept-Encoding: gzip\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
                .formatted(target.host(), body.length);
        OutputStream out = socket.getOutputStream();
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        String status =
            new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        return status;
      }
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
