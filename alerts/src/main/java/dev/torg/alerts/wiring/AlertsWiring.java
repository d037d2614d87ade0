package dev.torg.alerts.wiring;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.backfill.BackfillJob;
import dev.torg.alerts.backfill.SubscriptionBackfillHandler;
import dev.torg.alerts.delivery.AlertDedupPartitionsJob;
import dev.torg.alerts.delivery.AlertDeliveryConsumer;
import dev.torg.alerts.delivery.AlertMetrics;
import dev.torg.alerts.delivery.DeliveryContext;
import dev.torg.alerts.delivery.PurgeStormNotifiedJob;
import dev.torg.alerts.digest.RescheduleDigest;
import dev.torg.alerts.digest.SendDigestsJob;
import dev.torg.alerts.engine.EngineAlertEstimator;
import dev.torg.alerts.engine.EngineReplica;
import dev.torg.alerts.event.AlertProducer;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.explain.WhyRpc;
import dev.torg.alerts.fanout.BulkBackpressure;
import dev.torg.alerts.fanout.FanoutJob;
import dev.torg.alerts.fanout.FanoutMetrics;
import dev.torg.alerts.match.OfferMatchingConsumer;
import dev.torg.alerts.price.PriceAlertJob;
import dev.torg.alerts.seller.ExpiryNoticesJob;
import dev.torg.alerts.seller.SellerNoticeConsumer;
import dev.torg.alerts.seller.SendSellerNoticesJob;
import dev.torg.alerts.storm.StormFanoutJob;
import dev.torg.alerts.text.OpenLinks;
import dev.torg.favorites.AlertEstimator;
import dev.torg.favorites.AlertRules;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.LoginMerges;
import dev.torg.favorites.SubscriptionBackfills;
import dev.torg.notifications.Bell;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.SettingsListener;
import dev.torg.notifications.TopicChannels;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.Offers;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerGroupProgress;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.CrossPartitionBatcher;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.ParkedEventStore;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.platform.module.ModuleContext;
import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Builds the module. Tables: `db/alerts`, after those of the platform, offers, favorites and notifications.
///
/// In every process: [#services], which block on the database and must run on threads that may block. Where
/// favorites are projected: [#backfillHandler] receives the events after the projection. In role alerts:
/// [#start] and [#schedule]. In role jobs: [#sellerConsumers] and [#scheduleSellerNotices].
public final class AlertsWiring implements AutoCloseable {
  /// The module's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "alerts";

  public static final List<TopicSpec> TOPICS =
      List.of(topic(AlertTopics.NORMAL), topic(AlertTopics.BULK), topic(AlertTopics.STORM));

  private static TopicSpec topic(String name) {
    return new TopicSpec(name, Duration.ofDays(7))
        .withMaxMessageBytes(AlertProducer.MAX_REQUEST_BYTES);
  }

  private static final String MATCHER = "alerts.offers";
  private static final String WRITER = "alerts.writer";
  private static final String BULK_WRITER = "alerts.writer.bulk";
  private static final String STORM_WRITER = "alerts.writer.storm";

  private final ModuleContext context;
  private final KafkaCluster kafka;
  private final EngineAlertEstimator estimator;
  private final AlertProducer producer;
  private final EngineReplica engine;
  private final OfferMatchingConsumer matching;
  private final AlertDeliveryConsumer writing;
  private final SubscriptionBackfillHandler backfillHandler;
  private final BackfillJob backfill;
  private final BulkBackpressure backpressure;
  private final FanoutJob fanouts;
  private final StormFanoutJob storms;
  private final PurgeStormNotifiedJob notifiedStorms;
  private final PriceAlertJob prices;
  private final SendDigestsJob digests;
  private final SellerNoticeConsumer sellers;
  private final ExpiryNoticesJob expiries;
  private final SendSellerNoticesJob sellerNotices;
  private final AlertDedupPartitionsJob partitions;
  private final List<BindableService> services;
  private @Nullable Loops loops;

  /// What the module uses of others.
  public record Dependencies(
      Offers offers,
      Audiences audiences,
      SubscriptionBackfills backfills,
      AlertRules rules,
      LoginMerges merges,
      Bell bell,
      RecipientSettings settings) {}

  private record Loops(
      ConsumerLoop offers, ConsumerLoop alerts, ConsumerLoop bulk, ConsumerLoop storms) {}

  public AlertsWiring(
      ModuleContext context, KafkaCluster kafka, Dependencies others, AlertSettings settings) {
    this.context = context;
    this.kafka = kafka;
    Database database = context.database();
    InstantSource clock = context.clock();
    MeterRegistry registry = context.metrics();
    Offers offers = others.offers();
    OpenLinks links = new OpenLinks(settings.publicUrl());
    producer = new AlertProducer(kafka);
    engine =
        new EngineReplica(
            kafka,
            others.audiences(),
            new EngineReplica.Snapshots(settings.snapshot(), settings.snapshotEvery()),
            () -> ConsumerGroupProgress.lastHandledAt(kafka, MATCHER),
            clock,
            registry);
    matching =
        new OfferMatchingConsumer(
            new OfferMatchingConsumer.Dependencies(
                database, offers, others.audiences(), producer, producer, clock, registry),
            engine,
            settings);
    estimator = new EngineAlertEstimator(engine, clock);
    writing =
        new AlertDeliveryConsumer(
            database,
            offers,
            others.merges(),
            new DeliveryContext(
                others.rules(),
                others.settings(),
                others.bell(),
                settings,
                clock,
                new AlertMetrics(registry)));
    backfillHandler =
        new SubscriptionBackfillHandler(database, offers, producer, settings.debounce(), clock);
    backpressure =
        new BulkBackpressure(kafka, WRITER, BULK_WRITER, STORM_WRITER, settings.maxLag());
    backfill =
        new BackfillJob(
            offers,
            others.backfills(),
            new BackfillJob.Sending(database, producer, producer, backpressure::allowsStorms),
            BackfillJob.Limits.defaults(),
            clock,
            registry);
    storms = new StormFanoutJob(database, offers, others.audiences(), producer, backpressure);
    fanouts =
        new FanoutJob(
            database,
            offers,
            others.audiences(),
            others.bell(),
            producer,
            backpressure,
            new FanoutMetrics(database, clock, registry));
    prices =
        new PriceAlertJob(
            database, offers, others.audiences(), producer, backpressure::allowsStorms, settings);
    digests =
        new SendDigestsJob(
            database, offers, others.rules(), others.settings(), others.bell(), links, registry);
    sellers = new SellerNoticeConsumer(database, offers, clock);
    expiries = new ExpiryNoticesJob(database, offers);
    sellerNotices =
        new SendSellerNoticesJob(
            database, others.bell(), others.settings(), links, TopicChannels.defaults());
    partitions = new AlertDedupPartitionsJob(database);
    notifiedStorms = new PurgeStormNotifiedJob(database);
    services = List.of(new WhyRpc(database, offers, others.rules()));
  }

  /// What the notification center calls when a recipient's settings are replaced.
  public static SettingsListener settingsListener(InstantSource clock) {
    return new RescheduleDigest(clock);
  }

  public List<BindableService> services() {
    return services;
  }

  /// Estimates the alerts of a search from the offers that this process matches.
  public AlertEstimator estimator() {
    return estimator;
  }

  /// To be called by the consumer that projects favorites, after each projection: notifies savers of prices
  /// that changed before they were projected.
  public EventHandler backfillHandler() {
    return backfillHandler;
  }

  /// Role alerts: delivers alerts at once, and consumes offers as soon as the engine has caught up.
  ///
  /// @param partitionsOfOffers the number of partitions of `torg.offers`
  public synchronized void start(ParkedEventStore parkedEvents, IntSupplier partitionsOfOffers) {
    partitions.ensure(context.clock().instant());
    Loops started =
        new Loops(
            new ConsumerLoop(
                kafka,
                ConsumerSpec.of(MATCHER, OfferTopics.OFFERS),
                new CrossPartitionBatcher(matching),
                matching,
                parkedEvents,
                context.metrics()),
            loop(WRITER, AlertTopics.NORMAL, parkedEvents),
            loop(BULK_WRITER, AlertTopics.BULK, parkedEvents),
            loop(STORM_WRITER, AlertTopics.STORM, parkedEvents));
    loops = started;
    started.alerts.start();
    started.bulk.start();
    started.storms.start();
    backpressure.control(started.bulk, started.storms);
    engine.start(
        matching.searchBackfill()::match,
        () -> {
          estimator.start(() -> (double) matching.partitions() / partitionsOfOffers.getAsInt());
          started.offers.start();
        });
  }

  private ConsumerLoop loop(String name, String topic, ParkedEventStore parkedEvents) {
    return new ConsumerLoop(
        kafka,
        ConsumerSpec.of(name, topic),
        new CrossPartitionBatcher(writing),
        parkedEvents,
        context.metrics());
  }

  /// Whether the engine has caught up with all searches, so that this process matches offers.
  public boolean isReady() {
    return engine.isCaughtUp();
  }

  /// Backfills recent offers for new subscriptions. Part of [#schedule].
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
    jobs.every(Duration.ofSeconds(30), "alerts.digests", digests::due, digests::run);
    jobs.every(Duration.ofHours(1), "alerts.fanouts.sweep", fanouts::sweep);
    jobs.every(Duration.ofHours(1), "alerts.storms.sweep", storms::sweep);
    jobs.every(Duration.ofHours(1), "alerts.storms.notified.sweep", notifiedStorms::run);
    jobs.every(Duration.ofHours(1), "alerts.prices.sweep", prices::sweep);
    jobs.every(Duration.ofHours(6), "alerts.told.months", partitions::run);
  }

  /// Role jobs: the consumers of events that sellers are notified of.
  public List<ConsumerBinding> sellerConsumers() {
    return sellers.bindings();
  }

  /// Role jobs: notices to sellers about their own offers.
  public void scheduleSellerNotices(JobScheduler jobs) {
    jobs.every(Duration.ofMinutes(1), "alerts.seller.expiries", expiries::due, expiries::run);
    jobs.every(
        Duration.ofSeconds(1), "alerts.seller.notices", sellerNotices::due, sellerNotices::run);
    jobs.every(Duration.ofHours(1), "alerts.seller.sweep", sellerNotices::purge);
  }

  /// Leaves the consumer groups after completing what is in flight, and writes a snapshot of the engine.
  /// Offers first: none may be handled once the engine receives no more searches. Jobs and the consumer that
  /// calls [#backfillHandler] must have ended before.
  @Override
  public synchronized void close() {
    backpressure.close();
    Loops running = loops;
    if (running != null) {
      running.offers.close();
      engine.close();
      running.alerts.close();
      running.bulk.close();
      running.storms.close();
    }
    producer.close();
  }
}
