package dev.torg.bench.alerts;

import dev.torg.bench.alerts.Expected.Alerted;
import dev.torg.bench.process.ApiClient;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Sellers with a few followers each who publish in turn, some offers a second, until it is closed:
/// the ordinary traffic during a large event. No seller publishes enough to be collapsed within an
/// hour.
final class SteadyOffers implements AutoCloseable {
  private static final int SELLERS = 200;
  private static final int FOLLOWERS = 5;
  private static final Duration BETWEEN = Duration.ofMillis(200);

  /// The maximum: the next offer waits for the response to the last.
  static final long PER_SECOND = Duration.ofSeconds(1).dividedBy(BETWEEN);

  /// An offer and the time of the response to its publication.
  record Published(OfferId id, int seller, Instant at) {}

  private final ApiClient anonymous;
  private final List<Published> published = new ArrayList<>();
  private final Map<Integer, ApiClient> sellers = new HashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  SteadyOffers(ApiClient anonymous) {
    this.anonymous = anonymous;
    this.thread = Thread.ofPlatform().name("steady-offers").unstarted(this::publishAll);
  }

  /// A recipient and the seller that they follow.
  record Follow(String recipient, String seller) {}

  static List<Follow> follows() {
    List<Follow> follows = new ArrayList<>();
    for (int seller = 0; seller < SELLERS; seller++) {
      for (int i = 0; i < FOLLOWERS; i++) {
        follows.add(new Follow(recipient(seller, i), seller(seller)));
      }
    }
    return follows;
  }

  private static String seller(int number) {
    return "user:steady" + number;
  }

  private static String recipient(int seller, int number) {
    return "user:of" + seller + "-" + number;
  }

  void start() {
    thread.start();
  }

  synchronized List<Published> published() {
    return List.copyOf(published);
  }

  /// All alerts that must be delivered for the published offers.
  Set<Alerted> expected() {
    Set<Alerted> expected = new HashSet<>();
    for (Published offer : published()) {
      for (int i = 0; i < FOLLOWERS; i++) {
        expected.add(new Alerted(recipient(offer.seller, i), offer.id.number()));
      }
    }
    return expected;
  }

  private void publishAll() {
    for (int i = 0; isGoingOn(); i++) {
      int seller = i % SELLERS;
      ApiClient client = sellers.computeIfAbsent(seller, this::login);
      OfferId id = OfferId.parse(client.publish("Lamp " + i));
      Published done = new Published(id, seller, Instant.now());
      synchronized (this) {
        published.add(done);
      }
    }
  }

  private ApiClient login(int seller) {
    return anonymous.loggedInAs("steady" + seller);
  }

  private boolean isGoingOn() {
    try {
      return !closing.await(BETWEEN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  /// Closes after the current offer.
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
