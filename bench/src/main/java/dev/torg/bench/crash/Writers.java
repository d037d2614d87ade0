package dev.torg.bench.crash;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.bench.process.ApiClient;
import dev.torg.platform.Failure;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/// Sellers that publish and edit as fast as the server responds, until it is killed. Only acknowledged writes
/// enter the ledger. A failure before the kill is the live server's and is recorded there too: a server under
/// no more than this load has no reason to refuse a request.
final class Writers {
  private static final int SELLERS = 16;
  private static final AtomicLong TITLES = new AtomicLong();

  private final WriteLedger ledger;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopping;

  private Writers(WriteLedger ledger) {
    this.ledger = ledger;
  }

  static String seller(int number) {
    return "crash-" + number;
  }

  static int sellers() {
    return SELLERS;
  }

  static Writers start(ApiClient anonymous, WriteLedger ledger, long seed) {
    Writers writers = new Writers(ledger);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < SELLERS; i++) {
      ApiClient seller = anonymous.loggedInAs(seller(i));
      SplittableRandom own = random.split();
      writers.threads.add(Thread.ofVirtual().start(() -> writers.write(seller, own)));
    }
    return writers;
  }

  /// The server is about to be killed: from now on a failure is not recorded and ends a writer.
  void expectTheEnd() {
    stopping = true;
  }

  void awaitEnd() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void write(ApiClient seller, SplittableRandom random) {
    List<JsonNode> own = new ArrayList<>();
    while (true) {
      try {
        writeOnce(seller, random, own);
      } catch (UncheckedIOException | Failure failure) {
        if (stopping) {
          return;
        }
        ledger.failed(failure);
        // The outcome of the last write is unknown, and so is its offer's version.
        own.clear();
      }
    }
  }

  private void writeOnce(ApiClient seller, SplittableRandom random, List<JsonNode> own) {
    if (own.isEmpty() || random.nextInt(4) == 0) {
      own.add(publish(seller));
    } else {
      int index = random.nextInt(own.size());
      own.set(index, edit(seller, own.get(index)));
    }
  }

  private JsonNode publish(ApiClient seller) {
    ObjectNode request = ApiClient.JSON.createObjectNode();
    request.putObject("offer").put("category", "electronics").put("title", title());
    return acknowledged(seller.post("/v1/offers", request));
  }

  private JsonNode edit(ApiClient seller, JsonNode offer) {
    ObjectNode request = ApiClient.JSON.createObjectNode();
    request.putObject("offer").put("category", "electronics").put("title", title());
    request.put("version", offer.path("version").asText());
    return acknowledged(
        seller.send("PUT", "/v1/offers/" + offer.path("id").asText(), request, Map.of()));
  }

  private JsonNode acknowledged(JsonNode offer) {
    ledger.acknowledge(
        offer.path("id").asText(), offer.path("version").asLong(), offer.path("title").asText());
    return offer;
  }

  private static String title() {
    return "title " + TITLES.incrementAndGet();
  }
}
