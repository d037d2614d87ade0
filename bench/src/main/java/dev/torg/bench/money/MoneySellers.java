package dev.torg.bench.money;

import dev.torg.bench.process.ApiClient;
import dev.torg.platform.Failure;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Sellers that act until they are stopped, a thread each.
final class MoneySellers {
  static final int COUNT = 12;

  private final MoneyRecord record;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopping;

  private MoneySellers(MoneyRecord record) {
    this.record = record;
  }

  /// @param anonymous a client of each process
  static MoneySellers start(
      List<ApiClient> anonymous,
      String moderatorToken,
      String adminToken,
      MoneyRecord record,
      SplittableRandom random) {
    MoneySellers sellers = new MoneySellers(record);
    for (int i = 0; i < COUNT; i++) {
      String name = "money-" + i;
      String token = anonymous.getFirst().token(name);
      MoneySeller seller =
          new MoneySeller(
              name,
              client(anonymous, token, i),
              client(anonymous, moderatorToken, i),
              client(anonymous, adminToken, i),
              record,
              random.split());
      sellers.threads.add(Thread.ofVirtual().name(name).start(() -> sellers.run(seller)));
    }
    return sellers;
  }

  private static SellerClient client(List<ApiClient> anonymous, String token, int first) {
    return new SellerClient(anonymous.stream().map(client -> client.with(token)).toList(), first);
  }

  private void run(MoneySeller seller) {
    while (!stopping) {
      try {
        seller.act();
      } catch (UncheckedIOException | Failure failure) {
        record.failed(failure);
      }
    }
  }

  /// Ends after the actions in progress.
  void stop() {
    stopping = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
