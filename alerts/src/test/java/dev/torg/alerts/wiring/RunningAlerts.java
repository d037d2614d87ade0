package dev.torg.alerts.wiring;

import static org.awaitility.Awaitility.await;

import dev.torg.alerts.AlertsFixture;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.wiring.FavoritesWiring;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.ParkedEventStore;
import dev.torg.platform.kafka.TopicAdmin;
import dev.torg.platform.kafka.TopicPolicy;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.relay.Relay;
import dev.torg.testkit.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.Callable;

/// The whole path of a process from calls to the bell: projections and backfill from the beginning; relay,
/// alerts and other jobs when a test starts them. It can be stopped and started again.
public final class RunningAlerts implements AutoCloseable {
  final AlertsFixture fixture;
  public final KafkaCluster kafka =
      KafkaCluster.at(TestKafka.servers()).withPrefix(TestKafka.prefix());
  public final ParkedEventStore parkedEvents;
  private final TopicAdmin topicAdmin;
  private final LeaseCoordinator relaying;
  private LeaseCoordinator working;
  private LeaseCoordinator backfilling;
  private ConsumerLoop projecting;
  private AlertsWiring alerts;

  public RunningAlerts(AlertsFixture fixture) {
    this.fixture = fixture;
    fixture.clear("outbox");
    topicAdmin = new TopicAdmin(kafka, TopicPolicy.EMBEDDED);
    topicAdmin.ensure(OffersWiring.TOPICS);
    topicAdmin.ensure(FavoritesWiring.TOPICS);
    topicAdmin.ensure(AlertsWiring.TOPICS);
    parkedEvents = new ParkedEventStore(fixture.database, fixture.clock);
    relaying = new LeaseCoordinator(fixture.database);
    working = new LeaseCoordinator(fixture.database);
    alerts = fixture.alerts(kafka);
    project(alerts);
  }

  /// All but jobs.
  public static RunningAlerts started(AlertsFixture fixture) {
    RunningAlerts running = new RunningAlerts(fixture);
    running.relay();
    running.startAlerts();
    return running;
  }

  public void relay() {
    new Relay(fixture.database, fixture.outbox, kafka, topicAdmin, new SimpleMeterRegistry())
        .start(relaying);
  }

  public void startAlerts() {
    start(alerts);
  }

  public void start(AlertsWiring wiring) {
    wiring.start(parkedEvents, TopicPolicy.EMBEDDED::partitions);
    await().atMost(Duration.ofSeconds(30)).until(wiring::isReady);
  }

  /// Projects and backfills for these alerts, when no other process does.
  public void project(AlertsWiring wiring) {
    projecting =
        fixture
            .services(wiring.estimator(), wiring.backfillHandler())
            .projections(kafka, parkedEvents);
    projecting.start();
    backfilling = new LeaseCoordinator(fixture.database);
    wiring.scheduleBackfill(new JobScheduler(backfilling, fixture.clock));
  }

  public void projectAgain() {
    project(alerts);
  }

  public void stopProjecting() {
    backfilling.close();
    projecting.close();
  }

  /// Ends all but the relay.
  public void stop() {
    stopWorking();
    stopProjecting();
    alerts.close();
  }

  /// After [#stop].
  public void startAgain() {
    alerts = fixture.alerts(kafka);
    project(alerts);
    startAlerts();
  }

  public void stopWorking() {
    working.close();
    working = new LeaseCoordinator(fixture.database);
  }

  /// Fan-outs, prices and digests from now on.
  public void work() {
    alerts.schedule(new JobScheduler(working, fixture.clock));
  }

  public static void eventually(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50)).until(condition);
  }

  /// Publishes an offer of which the follower is notified.
  public void awaitDelivery(String follower, String followed) {
    Offer last = fixture.publish(followed);
    eventually(() -> fixture.notifiedOf(follower).contains(last.getId()));
  }

  /// Waits until the outbox has been sent to Kafka.
  public void awaitRelayed() {
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
    topicAdmin.close();
  }
}
