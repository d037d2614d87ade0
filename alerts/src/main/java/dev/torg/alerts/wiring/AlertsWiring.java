package dev.torg.alerts.wiring;

import dev.torg.alerts.EngineAlertEstimator;
import dev.torg.alerts.backfill.BackfillJob;
import dev.torg.alerts.backfill.SubscriptionBackfillHandler;
import dev.torg.alerts.delivery.AlertDedupPartitionsJob;
import dev.torg.alerts.delivery.AlertDeliveryConsumer;
import dev.torg.alerts.delivery.AlertDeliveryWriter;
import dev.torg.alerts.delivery.AlertMetrics;
import dev.torg.alerts.delivery.PurgeStormNotifiedJob;
import dev.torg.alerts.delivery.StormDeliveryWriter;
import dev.torg.alerts.digest.SendDigestsJob;
import dev.torg.alerts.engine.EngineReplica;
import dev.torg.alerts.event.AlertProducer;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.explain.WhyRpc;
import dev.torg.alerts.fanout.BulkBackpressure;
import dev.torg.alerts.fanout.FanoutJob;
import dev.torg.alerts.fanout.FanoutMetrics;
import dev.torg.alerts.match.OfferMatchingConsumer;
import dev.torg.alerts.merge.AlertsMergeSteps;
import dev.torg.alerts.price.PriceAlertJob;
import dev.torg.alerts.storm.StormFanoutJob;
import dev.torg.favorites.AlertRules;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.LoginMergeStep;
import dev.torg.favorites.LoginMergeSteps;
import dev.torg.favorites.LoginMerges;
import dev.torg.favorites.SubscriptionBackfills;
import dev.torg.notifications.Bell;
import dev.torg.notifications.RecipientSettings;
import dev.torg.offers.Offers;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerGroupProgress;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.CrossPartitionBatcher;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.ParkedEventStore;
import dev.torg.platform.kafka.TopicSpec;
import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Puts the room together. Tables: `db/alerts`, after those of the platform, offers, favorites and
/// notifications.
///
/// In every process: [#services], which wait for the database and are to be served on threads that
/// may. Where favorites are projected: [#arrivals] follows the projection. In role alerts: [#start]
/// and [#schedule]. Favorites are wired before: what they need of this room ([EngineAlertEstimator],
/// [#moveSteps]) can be had without it.
public final class AlertsWiring implements AutoCloseable {
  /// The room's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "alerts";

  public static final List<TopicSpec> TOPICS =
      List.of(topic(AlertProducer.NORMAL), topic(AlertProducer.BULK), topic(AlertProducer.STORM));

  private static TopicSpec topic(String name) {
    return new TopicSpec(name, Duration.ofDays(7))
        .withMaxMessageBytes(AlertProducer.MAX_REQUEST_BYTES);
  }

  private static final String OFFERS_TOPIC = "torg.offers";
  private static final String MATCHER = "alerts.offers";
  private static final String WRITER = "alerts.writer";
  private static final String BULK_WRITER = "alerts.writer.bulk";
  private static final String STORM_WRITER = "alerts.writer.storm";

  private final Context context;
  private final EngineAlertEstimator estimator;
  private final AlertProducer topic;
  private final EngineReplica host;
  private final OfferMatchingConsumer matching;
  private final AlertDeliveryConsumer writing;
  private final SubscriptionBackfillHandler arrivals;
  private final BackfillJob backfill;
  private final BulkBackpressure gate;
  private final FanoutJob fanouts;
  private final StormFanoutJob storms;
  private final PurgeStormNotifiedJob notifiedStorms;
  private final PriceAlertJob prices;
  private final SendDigestsJob digests;
  private final AlertDedupPartitionsJob partitions;
  private final List<BindableService> services;
  private @Nullable Loops loops;

  /// What the room stands on.
  public record Context(
      Database database, KafkaCluster kafka, InstantSource clock, MeterRegistry registry) {}

  /// What other rooms give.
  public record Dependencies(
      Offers offers,
      Audiences audiences,
      SubscriptionBackfills backfills,
      AlertRules rules,
      LoginMerges moves,
      Bell bell,
      RecipientSettings settings) {}

  private record Loops(
      ConsumerLoop offers, ConsumerLoop alerts, ConsumerLoop bulk, ConsumerLoop storms) {}

  public AlertsWiring(
      Context ground, Dependencies others, EngineAlertEstimator estimator, AlertSettings settings) {
    this.context = ground;
    this.estimator = estimator;
    Database database = ground.database();
    InstantSource clock = ground.clock();
    MeterRegistry registry = ground.registry();
    Offers offers = others.offers();
    topic = new AlertProducer(ground.kafka());
    host =
        new EngineReplica(
            ground.kafka(),
            others.audiences(),
            new EngineReplica.Snapshots(settings.snapshot(), settings.snapshotEvery()),
            () -> ConsumerGroupProgress.by(ground.kafka(), MATCHER),
            clock,
            registry);
    matching =
        new OfferMatchingConsumer(
            new OfferMatchingConsumer.Dependencies(
                database, offers, others.audiences(), topic, topic, clock, registry),
            host,
            settings);
    AlertMetrics meters = new AlertMetrics(registry);
    AlertDeliveryWriter telling =
        new AlertDeliveryWriter(
            others.rules(),
            others.settings(),
            others.bell(),
            offers.categories(),
            settings,
            clock,
            meters);
    StormDeliveryWriter notifying =
        new StormDeliveryWriter(
            others.rules(), others.settings(), others.bell(), settings, clock, meters);
    writing =
        new AlertDeliveryConsumer(
            database, offers, others.moves(), others.bell(), telling, notifying, clock, meters);
    arrivals = new SubscriptionBackfillHandler(database, offers, topic, settings.debounce(), clock);
    gate =
        new BulkBackpressure(ground.kafka(), WRITER, BULK_WRITER, STORM_WRITER, settings.maxLag());
    backfill =
        new BackfillJob(
            offers,
            others.backfills(),
            new BackfillJob.Sending(database, topic, topic, gate::allowsStorms),
            BackfillJob.Limits.defaults(),
            clock,
            registry);
    storms = new StormFanoutJob(database, offers, others.audiences(), topic, gate);
    fanouts =
        new FanoutJob(
            database,
            offers,
            others.audiences(),
            others.bell(),
            topic,
            gate,
            new FanoutMetrics(database, clock, registry));
    prices = new PriceAlertJob(database, offers, others.audiences(), topic, settings);
    digests =
        new SendDigestsJob(
            database, offers, others.rules(), others.settings(), others.bell(), registry);
    partitions = new AlertDedupPartitionsJob(database);
    notifiedStorms = new PurgeStormNotifiedJob(database);
    services = List.of(new WhyRpc(database, offers, others.rules()));
  }

  public List<BindableService> services() {
    return services;
  }

  /// What goes along at login, before the bell and favorites.
  public static List<LoginMergeStep> moveSteps(Database database, InstantSource clock) {
    AlertsMergeSteps move = new AlertsMergeSteps(database, clock);
    return List.of(
        LoginMergeSteps.named("digest", move::digest),
        LoginMergeSteps.named("told", move::mergeDedupRows));
  }

  /// What is left to do once favorites have come.
  public static List<LoginMergeStep> lastMoveSteps(Database database, InstantSource clock) {
    AlertsMergeSteps move = new AlertsMergeSteps(database, clock);
    return List.of(LoginMergeSteps.named("digest.complete", move::complete));
  }

  /// For [dev.torg.favorites.wiring.FavoritesWiring#projections(KafkaCluster, ParkedEventStore, EventHandler)], in every
  /// process that projects: savers that are projected late are notified of prices changed meanwhile.
  public EventHandler arrivals() {
    return arrivals;
  }

  /// Role alerts: writes alerts at once, and takes offers as soon as the engine has caught up.
  ///
  /// @param partitionsOfOffers how many partitions `torg.offers` has
  public synchronized void start(ParkedEventStore parked, IntSupplier partitionsOfOffers) {
    partitions.ensure(context.clock().instant());
    Loops started =
        new Loops(
            new ConsumerLoop(
                context.kafka(),
                ConsumerSpec.of(MATCHER, OFFERS_TOPIC),
                new CrossPartitionBatcher(matching),
                matching,
                parked,
                context.registry()),
            loop(WRITER, AlertProducer.NORMAL, parked),
            loop(BULK_WRITER, AlertProducer.BULK, parked),
            loop(STORM_WRITER, AlertProducer.STORM, parked));
    loops = started;
    started.alerts.start();
    started.bulk.start();
    started.storms.start();
    gate.control(started.bulk, started.storms);
    host.start(
        matching.searchBackfill()::match,
        () -> {
          estimator.observe(
              host::engine, () -> (double) matching.partitions() / partitionsOfOffers.getAsInt());
          started.offers.start();
        });
  }

  private ConsumerLoop loop(String name, String of, ParkedEventStore parked) {
    return new ConsumerLoop(
        context.kafka(),
        ConsumerSpec.of(name, of),
        new CrossPartitionBatcher(writing),
        parked,
        context.registry());
  }

  /// Whether this process matches offers: its engine has caught up with all searches.
  public boolean isReady() {
    return host.isCaughtUp();
  }

  /// New subscriptions look through recent offers. Part of [#schedule].
  void scheduleBackfill(JobScheduler jobs) {
    everyBackfill(jobs, Duration.ofMillis(500), "recent", BackfillJob.Range.RECENT);
    everyBackfill(jobs, Duration.ofSeconds(1), "older", BackfillJob.Range.OLDER);
  }

  private void everyBackfill(
      JobScheduler jobs, Duration interval, String name, BackfillJob.Range range) {
    jobs.every(
        interval,
        "alerts.backfill." + name,
        (homes, now) -> backfill.due(range, homes, now),
        (lease, now) -> backfill.run(range, lease, now));
  }

  public void schedule(JobScheduler jobs) {
    scheduleBackfill(jobs);
    jobs.every(Duration.ofSeconds(1), "alerts.fanouts", fanouts::waiting, fanouts::run);
    jobs.every(Duration.ofSeconds(1), "alerts.storms", storms::waiting, storms::run);
    jobs.every(Duration.ofSeconds(1), "alerts.prices", prices::due, prices::run);
    jobs.every(Duration.ofSeconds(30), "alerts.digests", digests::run);
    jobs.every(Duration.ofHours(1), "alerts.fanouts.sweep", fanouts::sweep);
    jobs.every(Duration.ofHours(1), "alerts.storms.sweep", storms::sweep);
    jobs.every(Duration.ofHours(1), "alerts.storms.notified.sweep", notifiedStorms::run);
    jobs.every(Duration.ofHours(1), "alerts.prices.sweep", prices::sweep);
    jobs.every(Duration.ofHours(6), "alerts.told.months", partitions::run);
  }

  /// Leaves the groups with everything in hand done, and a snapshot of the engine. Offers first: none
  /// may be handled once the engine hears of no more searches. Jobs and the consumer that [#arrivals]
  /// follows must have ended before.
  @Override
  public synchronized void close() {
    gate.close();
    Loops running = loops;
    if (running != null) {
      running.offers.close();
      host.close();
      running.alerts.close();
      running.bulk.close();
      running.storms.close();
    }
    topic.close();
  }
}
