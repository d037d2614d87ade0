package dev.torg.cli;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.bench.process.ApiClient;
import dev.torg.platform.Failure;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/// Sellers and a moderator who change the same offers through any number of processes, and the responses they
/// received.
final class SellerTraffic {
  /// Few offers, so that concurrent writes conflict.
  private static final int OFFERS = 40;

  private final Map<String, String> sellers;
  private final String moderator;
  private final List<KnownOffer> offers = new CopyOnWriteArrayList<>();
  private final AtomicInteger titles = new AtomicInteger();
  private final Queue<JsonNode> responses = new ConcurrentLinkedQueue<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private volatile Duration pause = Duration.ZERO;

  private record KnownOffer(String seller, String id) {}

  /// With the tokens of the sellers by name, and a moderator's token.
  SellerTraffic(Map<String, String> sellers, String moderator) {
    this.sellers = sellers;
    this.moderator = moderator;
  }

  /// The offer after each acknowledged write.
  List<JsonNode> responses() {
    return List.copyOf(responses);
  }

  /// Failures of a process that had not been killed.
  List<String> failures() {
    return List.copyOf(failures);
  }

  /// Adds writers of all sellers through this process, as fast as it responds.
  Through through(String address, long seed) {
    return new Through(address, new SplittableRandom(seed));
  }

  /// All sellers keep writing, at a rate that leaves processor time to other work.
  <T> T slowly(Supplier<T> meanwhile) {
    pause = Duration.ofMillis(100);
    try {
      return meanwhile.get();
    } finally {
      pause = Duration.ZERO;
    }
  }

  /// The writers through one process.
  final class Through implements AutoCloseable {
    private final ApiClient anonymous;
    private final List<Thread> writers = new ArrayList<>();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private volatile boolean dying;
    private volatile boolean stopped;

    private Through(String address, SplittableRandom random) {
      anonymous = new ApiClient(address);
      sellers.forEach(
          (name, token) -> {
            SplittableRandom own = random.split();
            start(anonymous.with(token), client -> act(client, name, own));
          });
      SplittableRandom own = random.split();
      start(anonymous.with(moderator), client -> giveOpinion(client, own));
    }

    int acknowledged() {
      return acknowledged.get();
    }

    /// The process is about to be killed: from now on a failure is not recorded and ends a writer.
    void expectTheEnd() {
      dying = true;
    }

    /// Stops the writers; those of a dead process end by their failures.
    @Override
    public void close() {
      stopped = !dying;
      for (Thread writer : writers) {
        try {
          writer.join();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      anonymous.close();
    }

    private void start(ApiClient client, Function<ApiClient, JsonNode> write) {
      writers.add(Thread.ofVirtual().start(() -> writeOn(client, write)));
    }

    private void writeOn(ApiClient client, Function<ApiClient, JsonNode> write) {
      while (!stopped) {
        try {
          responses.add(write.apply(client));
          acknowledged.incrementAndGet();
          LockSupport.parkNanos(pause.toNanos());
        } catch (Failure | UncheckedIOException failure) {
          if (!isMeeting(failure)) {
            note(failure);
            return;
          }
        }
      }
    }

    private void note(RuntimeException failure) {
      if (!dying) {
        failures.add(failure.toString());
      }
    }
  }

  /// A concurrent writer has sold, banned or withdrawn the offer first.
  private static boolean isMeeting(RuntimeException refused) {
    return refused instanceof Failure failure && failure.kind() == Failure.Kind.CONFLICT;
  }

  private JsonNode act(ApiClient client, String seller, SplittableRandom random) {
    List<KnownOffer> own = offers.stream().filter(o -> o.seller().equals(seller)).toList();
    if (own.isEmpty() || (own.size() < OFFERS && random.nextInt(4) == 0)) {
      JsonNode published = client.post("/v1/offers", content(random));
      offers.add(new KnownOffer(seller, published.path("id").asText()));
      return published;
    }
    String offer = "/v1/offers/" + own.get(random.nextInt(own.size())).id();
    return switch (random.nextInt(10)) {
      case 0, 1 -> client.post(offer + ":withdraw", ApiClient.JSON.createObjectNode());
      case 2, 3 -> client.post(offer + ":reactivate", ApiClient.JSON.createObjectNode());
      case 4 ->
          random.nextInt(8) == 0
              ? client.post(offer + ":markSold", ApiClient.JSON.createObjectNode())
              : client.post(offer + ":prolong", ApiClient.JSON.createObjectNode());
      default -> client.send("PUT", offer, content(random), Map.of());
    };
  }

  private JsonNode giveOpinion(ApiClient client, SplittableRandom random) {
    await().until(() -> !offers.isEmpty());
    KnownOffer offer = offers.get(random.nextInt(offers.size()));
    ObjectNode request = ApiClient.JSON.createObjectNode();
    ObjectNode opinion = request.putObject("opinion");
    opinion.put("verdict", random.nextInt(3) == 0 ? "BAN" : "UNBAN");
    opinion.putArray("reasons").add("spam");
    return client.post("/v1/offers/" + offer.id() + "/opinions", request);
  }

  private ObjectNode content(SplittableRandom random) {
    ObjectNode request = ApiClient.JSON.createObjectNode();
    request
        .putObject("offer")
        .put("category", "electronics")
        .put("title", "title " + titles.incrementAndGet())
        .putObject("price")
        .put("amount", 1 + random.nextInt(1000))
        .put("currency", "EUR");
    return request;
  }
}
