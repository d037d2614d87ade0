package dev.torg.favorites.wiring;

import dev.torg.favorites.AlertEstimator;
import dev.torg.favorites.AlertRules;
import dev.torg.favorites.Audiences;
import dev.torg.favorites.FavoriteSettings;
import dev.torg.favorites.LoginMergeStep;
import dev.torg.favorites.LoginMergeSteps;
import dev.torg.favorites.LoginMerges;
import dev.torg.favorites.OfferCounter;
import dev.torg.favorites.OfferLookup;
import dev.torg.favorites.SubscriptionBackfills;
import dev.torg.favorites.merge.LoginMergeProcess;
import dev.torg.favorites.merge.LoginMergeService;
import dev.torg.favorites.projection.FavoritesProjectionConsumer;
import dev.torg.favorites.read.FavoriteReader;
import dev.torg.favorites.read.FavoriteTotalsMetrics;
import dev.torg.favorites.rpc.FavoriteQueryService;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.favorites.service.FavoriteService;
import dev.torg.favorites.service.SavedSearchService;
import dev.torg.favorites.service.SearchEstimator;
import dev.torg.favorites.write.FavoriteEvents;
import dev.torg.favorites.write.FavoriteWriter;
import dev.torg.favorites.write.FavoritesMergeStep;
import dev.torg.favorites.write.FavoritesStore;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.db.Database;
import dev.torg.platform.identity.TokenService;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.ParkedEventStore;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.Outbox;
import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Puts the room together. Tables: `db/favorites`, after the platform's. The RPC services wait for the
/// database: they are to be served on threads that may, but for [#NON_BLOCKING_METHODS].
public final class FavoritesWiring implements AutoCloseable {
  /// The room's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "favorites";

  /// A week, like the tombstones of what is built from them.
  public static final List<TopicSpec> TOPICS =
      List.of(
          new TopicSpec(FavoriteEvents.TOPIC, Duration.ofDays(7)),
          new TopicSpec("torg.searches", Duration.ofDays(7)));

  /// Those of the calls that answer by a future alone, and are made most.
  public static final Set<String> NON_BLOCKING_METHODS =
      Set.of("AddOffers", "RemoveOffers", "AddSellers", "RemoveSellers", "ListFavorites");

  private static final int MOVE_PAGE = 1000;

  private final Database database;
  private final InstantSource clock;
  private final MeterRegistry registry;
  private final FavoriteWriter writer;
  private final FavoriteReader reader;
  private final FavoritesProjectionConsumer projecting;
  private final LoginMergeProcess moving;
  private final List<BindableService> services;

  /// Held by its gauges only as long as by us.
  @SuppressWarnings("UnusedVariable")
  private final FavoriteTotalsMetrics totals;

  private volatile boolean closing;

  /// What other rooms give: offers to look up and count, alerts to estimate, and what else happens at
  /// login, in order, before and after favorites move.
  public record Dependencies(
      OfferLookup offers,
      OfferCounter counts,
      AlertEstimator alerts,
      List<LoginMergeStep> moves,
      List<LoginMergeStep> lastMoves) {
    public Dependencies {
      moves = List.copyOf(moves);
      lastMoves = List.copyOf(lastMoves);
    }
  }

  public FavoritesWiring(
      Database database,
      Outbox outbox,
      TokenService tokens,
      Dependencies neighbours,
      FavoriteSettings settings,
      InstantSource clock,
      MeterRegistry registry) {
    this.database = database;
    this.clock = clock;
    this.registry = registry;
    FavoritesStore book = new FavoritesStore(outbox, new EventSequence(clock));
    this.writer =
        new FavoriteWriter(
            database,
            CoalescerSettings.of("favorites.write", database, settings.writers()),
            book,
            settings::limits,
            clock,
            registry);
    this.reader =
        new FavoriteReader(
            database,
            CoalescerSettings.of("favorites.read", database, settings.readers()),
            registry);
    this.totals = new FavoriteTotalsMetrics(database, registry);
    this.projecting = new FavoritesProjectionConsumer(database, outbox, clock);
    this.moving = new LoginMergeProcess(database, steps(neighbours, book), clock);
    this.services = List.of(rpc(tokens, neighbours, settings));
  }

  private FavoriteRpc rpc(TokenService tokens, Dependencies neighbours, FavoriteSettings settings) {
    FavoriteService saving = new FavoriteService(writer, neighbours.offers(), clock, registry);
    SavedSearchService searches =
        new SavedSearchService(
            writer,
            reader,
            new SearchEstimator(neighbours.counts(), neighbours.alerts()),
            settings.maxInstantAlertsPerDay(),
            clock);
    FavoriteQueryService listing =
        new FavoriteQueryService(
            reader,
            neighbours.offers(),
            audiences(),
            new LoginMergeService(tokens, moving),
            registry);
    return new FavoriteRpc(saving, searches, listing);
  }

  private List<LoginMergeStep> steps(Dependencies neighbours, FavoritesStore book) {
    FavoritesMergeStep favorites =
        new FavoritesMergeStep(database, book, clock, this::stopIfClosing, MOVE_PAGE);
    List<LoginMergeStep> steps = new ArrayList<>(neighbours.moves());
    steps.add(LoginMergeSteps.named("favorites", favorites::page));
    steps.addAll(neighbours.lastMoves());
    return steps;
  }

  private void stopIfClosing() {
    if (closing) {
      throw LoginMergeSteps.stopping();
    }
  }

  public List<BindableService> services() {
    return services;
  }

  /// Who might want to hear.
  public Audiences audiences() {
    return new Audiences(database);
  }

  /// New subscriptions for which recent offers are to be looked through.
  public SubscriptionBackfills backfills() {
    return new SubscriptionBackfills(database);
  }

  /// Who still does.
  public AlertRules rules() {
    return new AlertRules();
  }

  public LoginMerges moves() {
    return new LoginMerges(moving);
  }

  /// The consumer that builds the projections; not started.
  public ConsumerLoop projections(KafkaCluster kafka, ParkedEventStore parked) {
    return projections(kafka, parked, events -> {});
  }

  /// As above. What follows is given the events once their projection is committed, and before they
  /// count as handled: it may see them again, but never misses any.
  public ConsumerLoop projections(
      KafkaCluster kafka, ParkedEventStore parked, EventHandler following) {
    return new ConsumerLoop(
        kafka,
        ConsumerSpec.of("favorites.projections", FavoriteEvents.TOPIC),
        events -> {
          projecting.handle(events);
          following.handle(events);
        },
        parked,
        registry);
  }

  public void schedule(JobScheduler jobs) {
    jobs.every(Duration.ofHours(1), "favorites.tombstones", projecting::sweep);
    jobs.every(
        Duration.ofSeconds(30),
        "favorites.moves",
        moving::unfinished,
        (lease, now) -> moving.resume(lease.homes(), now));
  }

  /// Applies what was taken in.
  @Override
  public void close() {
    closing = true;
    writer.close();
    reader.close();
  }
}
