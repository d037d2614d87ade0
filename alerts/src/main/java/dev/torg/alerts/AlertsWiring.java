package dev.torg.alerts;

import dev.torg.alerts.alert.AlertTopic;
import dev.torg.alerts.arrive.Arrivals;
import dev.torg.alerts.arrive.BackfillJob;
import dev.torg.alerts.digest.MoveTold;
import dev.torg.alerts.digest.SendDigests;
import dev.torg.alerts.engine.EngineHost;
import dev.torg.alerts.fanout.BulkGate;
import dev.torg.alerts.fanout.FanoutMeters;
import dev.torg.alerts.fanout.WorkFanouts;
import dev.torg.alerts.match.MatchOffers;
import dev.torg.alerts.price.RunPrices;
import dev.torg.alerts.storm.StormFanoutJob;
import dev.torg.alerts.why.WhyRpc;
import dev.torg.alerts.write.AlertMeters;
import dev.torg.alerts.write.NotifyOfStorms;
import dev.torg.alerts.write.SweepStormNotified;
import dev.torg.alerts.write.TellReaders;
import dev.torg.alerts.write.ToldPartitions;
import dev.torg.alerts.write.WriteAlerts;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.FavoriteRules;
import dev.torg.favorites.MoveStep;
import dev.torg.favorites.MoveSteps;
import dev.torg.favorites.Moves;
import dev.torg.favorites.SubscriptionBackfills;
import dev.torg.notifications.Bell;
import dev.torg.notifications.ReaderSettings;
import dev.torg.offers.Offers;
import dev.torg.platform.db.Database;
import dev.torg.platform.lease.Jobs;
import dev.torg.platform.topics.ConsumerLoop;
import dev.torg.platform.topics.ConsumerSpec;
import dev.torg.platform.topics.EventHandler;
import dev.torg.platform.topics.HandleTogether;
import dev.torg.platform.topics.Kafka;
import dev.torg.platform.topics.LastHandled;
import dev.torg.platform.topics.Parked;
import dev.torg.platform.topics.TopicSpec;
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
/// and [#schedule]. Favorites are wired before: what they need of this room ([EngineEstimator],
/// [#moveSteps]) can be had without it.
public final class AlertsWiring implements AutoCloseable {
  /// The room's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "alerts";

  public static final List<TopicSpec> TOPICS =
      List.of(topic(AlertTopic.NORMAL), topic(AlertTopic.BULK), topic(AlertTopic.STORM));

  private static TopicSpec topic(String name) {
    return new TopicSpec(name, Duration.ofDays(7))
        .withMaxMessageBytes(AlertTopic.MAX_REQUEST_BYTES);
  }

  private static final String OFFERS_TOPIC = "torg.offers";
  private static final String MATCHER = "alerts.offers";
  private static final String WRITER = "alerts.writer";
  private static final String BULK_WRITER = "alerts.writer.bulk";
  private static final String STORM_WRITER = "alerts.writer.storm";

  private final Ground ground;
  private final EngineEstimator estimator;
  private final AlertTopic topic;
  private final EngineHost host;
  private final MatchOffers matching;
  private final WriteAlerts writing;
  private final Arrivals arrivals;
  private final BackfillJob backfill;
  private final BulkGate gate;
  private final WorkFanouts fanouts;
  private final StormFanoutJob storms;
  private final SweepStormNotified notifiedStorms;
  private final RunPrices prices;
  private final SendDigests digests;
  private final ToldPartitions partitions;
  private final List<BindableService> services;
  private @Nullable Loops loops;

  /// What the room stands on.
  public record Ground(
      Database database, Kafka kafka, InstantSource clock, MeterRegistry registry) {}

  /// What other rooms give.
  public record Neighbours(
      Offers offers,
      Audiences audiences,
      SubscriptionBackfills backfills,
      FavoriteRules rules,
      Moves moves,
      Bell bell,
      ReaderSettings settings) {}

  private record Loops(
      ConsumerLoop offers, ConsumerLoop alerts, ConsumerLoop bulk, ConsumerLoop storms) {}

  public AlertsWiring(
      Ground ground, Neighbours others, EngineEstimator estimator, AlertSettings settings) {
    this.ground = ground;
    this.estimator = estimator;
    Database database = ground.database();
    InstantSource clock = ground.clock();
    MeterRegistry registry = ground.registry();
    Offers offers = others.offers();
    topic = new AlertTopic(ground.kafka());
    host =
        new EngineHost(
            ground.kafka(),
            others.audiences(),
            new EngineHost.Snapshots(settings.snapshot(), settings.snapshotEvery()),
            () -> LastHandled.by(ground.kafka(), MATCHER),
            clock,
            registry);
    matching =
        new MatchOffers(
            new MatchOffers.Needs(
                database, offers, others.audiences(), topic, topic, clock, registry),
            host,
            settings);
    AlertMeters meters = new AlertMeters(registry);
    TellReaders telling =
        new TellReaders(
            others.rules(),
            others.settings(),
            others.bell(),
            offers.categories(),
            settings,
            clock,
            meters);
    NotifyOfStorms notifying =
        new NotifyOfStorms(
            others.rules(), others.settings(), others.bell(), settings, clock, meters);
    writing =
        new WriteAlerts(
            database, offers, others.moves(), others.bell(), telling, notifying, clock, meters);
    arrivals = new Arrivals(database, offers, topic, settings.debounce(), clock);
    gate = new BulkGate(ground.kafka(), WRITER, BULK_WRITER, STORM_WRITER, settings.mostLag());
    backfill =
        new BackfillJob(
            offers,
            others.backfills(),
            new BackfillJob.Sending(database, topic, topic, gate::letsStormsOut),
            BackfillJob.Limits.defaults(),
            clock,
            registry);
    storms = new StormFanoutJob(database, offers, others.audiences(), topic, gate);
    fanouts =
        new WorkFanouts(
            database,
            offers,
            others.audiences(),
            others.bell(),
            topic,
            gate,
            new FanoutMeters(database, clock, registry));
    prices = new RunPrices(database, offers, others.audiences(), topic, settings);
    digests =
        new SendDigests(
            database, offers, others.rules(), others.settings(), others.bell(), registry);
    partitions = new ToldPartitions(database);
    notifiedStorms = new SweepStormNotified(database);
    services = List.of(new WhyRpc(database, offers, others.rules()));
  }

  public List<BindableService> services() {
    return services;
  }

  /// What goes along at login, before the bell and favorites.
  public static List<MoveStep> moveSteps(Database database, InstantSource clock) {
    MoveTold move = new MoveTold(database, clock);
    return List.of(MoveSteps.named("digest", move::digest), MoveSteps.named("told", move::told));
  }

  /// What is left to do once favorites have come.
  public static List<MoveStep> lastMoveSteps(Database database, InstantSource clock) {
    MoveTold move = new MoveTold(database, clock);
    return List.of(MoveSteps.named("digest.complete", move::complete));
  }

  /// For [dev.torg.favorites.FavoritesWiring#projections(Kafka, Parked, EventHandler)], in every
  /// process that projects: savers that are projected late are notified of prices changed meanwhile.
  public EventHandler arrivals() {
    return arrivals;
  }

  /// Role alerts: writes alerts at once, and takes offers as soon as the engine has caught up.
  ///
  /// @param partitionsOfOffers how many partitions `torg.offers` has
  public synchronized void start(Parked parked, IntSupplier partitionsOfOffers) {
    partitions.ensure(ground.clock().instant());
    Loops started =
        new Loops(
            new ConsumerLoop(
                ground.kafka(),
                ConsumerSpec.of(MATCHER, OFFERS_TOPIC),
                new HandleTogether(matching),
                matching,
                parked,
                ground.registry()),
            loop(WRITER, AlertTopic.NORMAL, parked),
            loop(BULK_WRITER, AlertTopic.BULK, parked),
            loop(STORM_WRITER, AlertTopic.STORM, parked));
    loops = started;
    started.alerts.start();
    started.bulk.start();
    started.storms.start();
    gate.watch(started.bulk, started.storms);
    host.start(
        matching.lateSearches()::match,
        () -> {
          estimator.observe(
              host::engine, () -> (double) matching.partitions() / partitionsOfOffers.getAsInt());
          started.offers.start();
        });
  }

  private ConsumerLoop loop(String name, String of, Parked parked) {
    return new ConsumerLoop(
        ground.kafka(),
        ConsumerSpec.of(name, of),
        new HandleTogether(writing),
        parked,
        ground.registry());
  }

  /// Whether this process matches offers: its engine has caught up with all searches.
  public boolean isReady() {
    return host.isCaughtUp();
  }

  /// New subscriptions look through recent offers. Part of [#schedule].
  void scheduleBackfill(Jobs jobs) {
    everyBackfill(jobs, Duration.ofMillis(500), "recent", BackfillJob.Range.RECENT);
    everyBackfill(jobs, Duration.ofSeconds(1), "older", BackfillJob.Range.OLDER);
  }

  private void everyBackfill(Jobs jobs, Duration interval, String name, BackfillJob.Range range) {
    jobs.every(
        interval,
        "alerts.backfill." + name,
        (homes, now) -> backfill.due(range, homes, now),
        (lease, now) -> backfill.run(range, lease, now));
  }

  public void schedule(Jobs jobs) {
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
