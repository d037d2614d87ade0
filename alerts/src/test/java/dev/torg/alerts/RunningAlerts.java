package dev.torg.alerts;

import static org.awaitility.Awaitility.await;

import dev.torg.api.v1.Offer;
import dev.torg.favorites.FavoritesWiring;
import dev.torg.offers.OffersWiring;
import dev.torg.platform.lease.Jobs;
import dev.torg.platform.lease.Leases;
import dev.torg.platform.outbox.Relay;
import dev.torg.platform.topics.ConsumerLoop;
import dev.torg.platform.topics.Kafka;
import dev.torg.platform.topics.Parked;
import dev.torg.platform.topics.TopicRules;
import dev.torg.platform.topics.Topics;
import dev.torg.testkit.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.Callable;

/// The whole path of a process from what people do to the bell: projections and backfill at once; relay,
/// alerts and other jobs when a test asks for them. It can be stopped and started again.
final class RunningAlerts implements AutoCloseable {
  final AlertsFixture fixture;
  final Kafka kafka = Kafka.at(TestKafka.servers()).withPrefix(TestKafka.prefix());
  final Parked parked;
  private final Topics topics;
  private final Leases relaying;
  private Leases working;
  private Leases backfilling;
  private ConsumerLoop projecting;
  private AlertsWiring alerts;

  RunningAlerts(AlertsFixture fixture) {
    this.fixture = fixture;
    fixture.database.inTransaction(tx -> tx.sql("DELETE FROM outbox").update());
    topics = new Topics(kafka, TopicRules.EMBEDDED);
    topics.ensure(OffersWiring.TOPICS);
    topics.ensure(FavoritesWiring.TOPICS);
    topics.ensure(AlertsWiring.TOPICS);
    parked = new Parked(fixture.database, fixture.clock);
    relaying = new Leases(fixture.database);
    working = new Leases(fixture.database);
    alerts = fixture.alerts(kafka);
    project(alerts);
  }

  /// All but jobs.
  static RunningAlerts started(AlertsFixture fixture) {
    RunningAlerts running = new RunningAlerts(fixture);
    running.relay();
    running.startAlerts();
    return running;
  }

  void relay() {
    new Relay(fixture.database, fixture.outbox, kafka, topics, new SimpleMeterRegistry())
        .start(relaying);
  }

  void startAlerts() {
    start(alerts);
  }

  void start(AlertsWiring some) {
    some.start(parked, TopicRules.EMBEDDED::partitions);
    await().atMost(Duration.ofSeconds(30)).until(some::isReady);
  }

  /// Projects and backfills for these alerts, when no other process does.
  void project(AlertsWiring some) {
    projecting = fixture.favorites.projections(kafka, parked, some.arrivals());
    projecting.start();
    backfilling = new Leases(fixture.database);
    some.scheduleBackfill(new Jobs(backfilling, fixture.clock));
  }

  void projectAgain() {
    project(alerts);
  }

  void stopProjecting() {
    backfilling.close();
    projecting.close();
  }

  /// Ends all but the relay.
  void stop() {
    stopWorking();
    stopProjecting();
    alerts.close();
  }

  /// After [#stop].
  void startAgain() {
    alerts = fixture.alerts(kafka);
    project(alerts);
    startAlerts();
  }

  void stopWorking() {
    working.close();
    working = new Leases(fixture.database);
  }

  /// Fan-outs, prices and digests from now on.
  void work() {
    alerts.schedule(new Jobs(working, fixture.clock));
  }

  static void eventually(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50)).until(condition);
  }

  /// An offer that the follower hears of.
  void settle(String follower, String followed) {
    Offer last = fixture.publish(followed);
    eventually(() -> fixture.heardOf(follower).contains(last.getId()));
  }

  /// What stands in the outbox has gone to Kafka.
  void awaitRelayed() {
    eventually(
        () ->
            fixture.database.read(
                tx -> tx.sql("SELECT 1 FROM outbox LIMIT 1").first(row -> true).isEmpty()));
  }

  @Override
  public void close() {
    working.close();
    relaying.close();
    stopProjecting();
    alerts.close();
    topics.close();
  }
}
