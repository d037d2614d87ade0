package dev.torg.favorites;

import dev.torg.favorites.book.BookStore;
import dev.torg.favorites.book.FavoriteEvents;
import dev.torg.favorites.book.FavoriteWriter;
import dev.torg.favorites.book.MoveFavorites;
import dev.torg.favorites.move.MoveProcess;
import dev.torg.favorites.move.MoveService;
import dev.torg.favorites.project.ProjectFavorites;
import dev.torg.favorites.read.FavoriteReader;
import dev.torg.favorites.read.Totals;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.favorites.rpc.Listing;
import dev.torg.favorites.save.SaveService;
import dev.torg.favorites.search.Estimates;
import dev.torg.favorites.search.SearchService;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.db.Database;
import dev.torg.platform.identity.Tokens;
import dev.torg.platform.lease.Jobs;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.Seq;
import dev.torg.platform.topics.ConsumerLoop;
import dev.torg.platform.topics.ConsumerSpec;
import dev.torg.platform.topics.EventHandler;
import dev.torg.platform.topics.Kafka;
import dev.torg.platform.topics.Parked;
import dev.torg.platform.topics.TopicSpec;
import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Puts the room together. Tables: `db/favorites`, after the platform's. The RPC services wait for the
/// database: they are to be served on threads that may, but for [#NEVER_WAITING].
public final class FavoritesWiring implements AutoCloseable {
  /// The room's name for [dev.torg.platform.db.Migrations].
  public static final String MIGRATIONS = "favorites";

  /// A week, like the tombstones of what is built from them.
  public static final List<TopicSpec> TOPICS =
      List.of(
          new TopicSpec(FavoriteEvents.TOPIC, Duration.ofDays(7)),
          new TopicSpec("torg.searches", Duration.ofDays(7)));

  /// Those of the calls that answer by a future alone, and are made most.
  public static final Set<String> NEVER_WAITING =
      Set.of("AddOffers", "RemoveOffers", "AddSellers", "RemoveSellers", "ListFavorites");

  private static final int MOVE_PAGE = 1000;

  private final Database database;
  private final InstantSource clock;
  private final MeterRegistry registry;
  private final FavoriteWriter writer;
  private final FavoriteReader reader;
  private final ProjectFavorites projecting;
  private final MoveProcess moving;
  private final List<BindableService> services;

  /// Held by its gauges only as long as by us.
  @SuppressWarnings("UnusedVariable")
  private final Totals totals;

  private volatile boolean closing;

  /// What other rooms give: offers to look up and count, alerts to estimate, and what else happens at
  /// login, in order, before and after favorites move.
  public record Neighbours(
      OfferLookup offers,
      OfferCounts counts,
      AlertEstimator alerts,
      List<MoveStep> moves,
      List<MoveStep> lastMoves) {
    public Neighbours {
      moves = List.copyOf(moves);
      lastMoves = List.copyOf(lastMoves);
    }
  }

  public FavoritesWiring(
      Database database,
      Outbox outbox,
      Tokens tokens,
      Neighbours neighbours,
      FavoriteSettings settings,
      InstantSource clock,
      MeterRegistry registry) {
    this.database = database;
    this.clock = clock;
    this.registry = registry;
    BookStore book = new BookStore(outbox, new Seq(clock));
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
    this.totals = new Totals(database, registry);
    this.projecting = new ProjectFavorites(database, outbox, clock);
    this.moving = new MoveProcess(database, steps(neighbours, book), clock);
    this.services = List.of(rpc(tokens, neighbours, settings));
  }

  private FavoriteRpc rpc(Tokens tokens, Neighbours neighbours, FavoriteSettings settings) {
    SaveService saving = new SaveService(writer, neighbours.offers(), clock, registry);
    SearchService searches =
        new SearchService(
            writer,
            reader,
            new Estimates(neighbours.counts(), neighbours.alerts()),
            settings.mostInstantAlertsPerDay(),
            clock);
    Listing listing =
        new Listing(
            reader, neighbours.offers(), audiences(), new MoveService(tokens, moving), registry);
    return new FavoriteRpc(saving, searches, listing);
  }

  private List<MoveStep> steps(Neighbours neighbours, BookStore book) {
    MoveFavorites favorites =
        new MoveFavorites(database, book, clock, this::stopIfClosing, MOVE_PAGE);
    List<MoveStep> steps = new ArrayList<>(neighbours.moves());
    steps.add(MoveSteps.named("favorites", favorites::page));
    steps.addAll(neighbours.lastMoves());
    return steps;
  }

  private void stopIfClosing() {
    if (closing) {
      throw MoveSteps.stopping();
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
  public FavoriteRules rules() {
    return new FavoriteRules();
  }

  public Moves moves() {
    return new Moves(moving);
  }

  /// The consumer that builds the projections; not started.
  public ConsumerLoop projections(Kafka kafka, Parked parked) {
    return projections(kafka, parked, events -> {});
  }

  /// As above. What follows is given the events once their projection is committed, and before they
  /// count as handled: it may see them again, but never misses any.
  public ConsumerLoop projections(Kafka kafka, Parked parked, EventHandler following) {
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

  public void schedule(Jobs jobs) {
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
