package dev.torg.bench.alerts;

import dev.torg.bench.alerts.Expected.Alerted;
import dev.torg.bench.process.ApiClient;
import dev.torg.platform.OfferId;
import java.util.HashSet;
import java.util.Set;

/// A seller, a unique word, and recipients who follow the one, search for the other, or both. It
/// publishes fewer offers than are collapsed within an hour.
final class Round {
  private static final int RECIPIENTS = 6;

  private final ApiClient anonymous;
  private final String name;
  private final ApiClient seller;
  private final Set<String> recipients = new HashSet<>();
  private final Set<Alerted> expected = new HashSet<>();

  Round(ApiClient anonymous, int number) {
    this.anonymous = anonymous;
    this.name = "round" + number;
    this.seller = anonymous.loggedInAs(name + "-seller");
  }

  /// Saves for all recipients of the round, one third for each kind.
  void saveAll() {
    for (int i = 0; i < RECIPIENTS; i++) {
      save(i);
    }
  }

  private void save(int number) {
    String recipient = name + "-reader" + number;
    ApiClient client = anonymous.loggedInAs(recipient);
    if (number % 3 != 0) {
      client.search(name);
    }
    if (number % 3 != 1) {
      client.follow("user:" + name + "-seller");
    }
    recipients.add("user:" + recipient);
  }

  /// From now on every recipient who has saved must be notified.
  void publish() {
    long offer = OfferId.parse(seller.publish("Lamp " + name)).number();
    recipients.forEach(recipient -> expected.add(new Alerted(recipient, offer)));
  }

  Set<Alerted> expected() {
    return expected;
  }
}
