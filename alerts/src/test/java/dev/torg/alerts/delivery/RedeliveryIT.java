package dev.torg.alerts.delivery;

import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.newUser;
import static dev.torg.alerts.wiring.RunningAlerts.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.wiring.RunningAlerts;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Opinion.Verdict;
import dev.torg.platform.Home;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Every record of every topic is delivered twice: the groups are reset to the beginning.
class RedeliveryIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private static final List<String> GROUPS =
      List.of(
          "favorites.projections",
          "alerts.offers",
          "alerts.writer",
          "alerts.writer.bulk",
          "alerts.writer.storm");

  /// A larger audience becomes a fan-out.
  private static final int LARGE = 10;

  private final List<String> recipients = new ArrayList<>();
  private final String seller = newUser();
  private AlertsFixture fixture;
  private RunningAlerts running;

  @BeforeEach
  void open() {
    AlertSettings defaults = AlertSettings.defaults(AlertsFixture.temporary());
    fixture = new AlertsFixture(TABLES, new TestClock(), defaults.withLargeAudience(LARGE));
    running = RunningAlerts.started(fixture);
    running.work();
  }

  @AfterEach
  void close() {
    running.close();
    fixture.close();
  }

  private String recipient() {
    String recipient = newUser();
    recipients.add(recipient);
    return recipient;
  }

  @Test
  void redelivery_ofAllRecords_notifiesNoRecipientTwice() throws Exception {
    String watcher = live();
    Map<String, List<Notification>> received = notified();
    long notified = count("told");
    double deduplicated = deduplicated();
    running.stop();
    putBack();
    running.startAgain();
    running.work();
    eventually(() -> deduplicated() >= deduplicated + notified);
    eventually(() -> count("price_due") > 0);
    fixture.clock.advance(Duration.ofSeconds(61));
    eventually(() -> count("price_due") == 0);
    await()
        .during(Duration.ofSeconds(3))
        .atMost(Duration.ofSeconds(20))
        .until(() -> notified().equals(received));
    assertThat(count("told")).isEqualTo(notified);
    running.awaitDelivery(watcher, seller);
    assertThat(running.parkedEvents.list(1)).isEmpty();
  }

  /// Events of all kinds: searches, follows, a large audience, a price, a ban, an edit. Returns a follower of
  /// the seller.
  private String live() {
    for (int i = 0; i <= LARGE; i++) {
      fixture.follow(recipient(), seller);
    }
    String small = newUser();
    String both = recipient();
    fixture.follow(both, small);
    fixture.search(both, cars("roadster"), "");
    String watcher = recipients.getFirst();
    Offer saved = fixture.publish(small, car("A roadster", 100_000));
    fixture.save(watcher, saved);
    // Projected before the offer they are a large audience; otherwise each would be notified by
    // backfill.
    eventually(() -> count("seller_follower") == LARGE + 2);
    running.awaitDelivery(watcher, seller);
    Offer edited = fixture.publish(newUser(), car("A car", 1000));
    Offer banned = fixture.publish(small);
    eventually(() -> fixture.notifiedOf(both).contains(banned.getId()));
    fixture.giveOpinion(banned, Verdict.BAN);
    fixture.edit(edited, car("A small roadster", 1000));
    fixture.reprice(saved, 90_000);
    eventually(() -> count("price_due") == 1);
    fixture.clock.advance(Duration.ofSeconds(61));
    eventually(() -> fixture.notifiedOf(watcher).contains(saved.getId()));
    eventually(() -> fixture.notifiedOf(both).contains(edited.getId()));
    eventually(() -> !fixture.notifiedOf(both).contains(banned.getId()));
    storm();
    eventually(
        () -> recipients.subList(0, LARGE + 1).stream().noneMatch(r -> fixture.bell(r).isEmpty()));
    return watcher;
  }

  /// A catalogue of a seller who has a follower.
  private void storm() {
    String catalogue = newUser();
    String follower = recipient();
    fixture.follow(follower, catalogue);
    running.awaitDelivery(follower, catalogue);
    IntStream.range(0, 60).parallel().forEach(_ -> fixture.publish(catalogue));
    eventually(
        () -> {
          // The next walk of a storm is due ten seconds after the last.
          fixture.clock.advance(Duration.ofSeconds(11));
          return offers(follower) == 61;
        });
  }

  /// The number of offers that the entries of a bell represent.
  private long offers(String recipient) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT coalesce(sum(size), 0) FROM notification WHERE home = ? AND owner = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }

  private Map<String, List<Notification>> notified() {
    Map<String, List<Notification>> received = new HashMap<>();
    recipients.forEach(recipient -> received.put(recipient, fixture.bell(recipient)));
    return received;
  }

  private double deduplicated() {
    return fixture.registry.find("torg.alerts.deduplicated").counters().stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }

  private long count(String table) {
    return fixture.database.read(
        tx -> tx.sql("SELECT count(*) FROM " + table).first(row -> row.longAt(1)).orElse(0L));
  }

  private void putBack() throws Exception {
    try (Admin admin = running.kafka.admin()) {
      for (String group : GROUPS) {
        String name = running.kafka.clusterName(group);
        Map<TopicPartition, OffsetAndMetadata> committed =
            admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata().get();
        assertThat(committed).as(group).isNotEmpty();
        Map<TopicPartition, OffsetAndMetadata> beginning = new HashMap<>();
        committed.keySet().forEach(p -> beginning.put(p, new OffsetAndMetadata(0)));
        admin.alterConsumerGroupOffsets(name, beginning).all().get();
      }
    }
  }
}
