package dev.torg.favorites.wiring;

import dev.torg.favorites.AlertEstimator;
import dev.torg.favorites.FavoriteSettings;
import dev.torg.favorites.FavoriteTopics;
import dev.torg.favorites.merge.MergeAdmission;
import dev.torg.favorites.projection.FavoritesProjectionConsumer;
import dev.torg.favorites.rpc.FavoriteQueryService;
import dev.torg.favorites.rpc.FavoriteRpc;
import dev.torg.favorites.service.FavoriteService;
import dev.torg.favorites.service.OfferCounter;
import dev.torg.favorites.service.SavedSearchService;
import dev.torg.favorites.service.SearchEstimator;
import dev.torg.offers.Offers;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.platform.kafka.ConsumerSpec;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.platform.kafka.KafkaCluster;
import dev.torg.platform.kafka.ParkedEventStore;
import dev.torg.platform.module.ModuleContext;
import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/// Builds the services of the module: the API and the consumer that projects favorites. The gRPC services
/// block on the database and must run on threads that may block, except for [#NON_BLOCKING_METHODS].
public final class FavoriteServicesWiring {
  /// The most frequent methods, which only wait for futures.
  public static final Set<String> NON_BLOCKING_METHODS =
      Set.of("AddOffers", "RemoveOffers", "AddSellers", "RemoveSellers", "ListFavorites");

  private final FavoritesProjectionConsumer projecting;
  private final EventHandler afterProjection;
  private final MeterRegistry registry;
  private final List<BindableService> services;

  /// What the services use of this module and others.
  ///
  /// @param alerts estimates the alerts of a search
  /// @param afterProjection receives the events once their projection is committed, and before their offsets
  ///     are: at least once
  public record Dependencies(
      FavoritesWiring core,
      LoginMergeWiring loginMerge,
      Offers offers,
      OfferCounter counter,
      AlertEstimator alerts,
      EventHandler afterProjection) {}

  public FavoriteServicesWiring(
      ModuleContext context, Dependencies dependencies, FavoriteSettings settings) {
    this.projecting =
        new FavoritesProjectionConsumer(context.database(), context.outbox(), context.clock());
    this.afterProjection = dependencies.afterProjection();
    this.registry = context.metrics();
    this.services = List.of(rpc(context, dependencies, settings));
  }

  private static FavoriteRpc rpc(
      ModuleContext context, Dependencies dependencies, FavoriteSettings settings) {
    InstantSource clock = context.clock();
    MeterRegistry registry = context.metrics();
    FavoritesWiring core = dependencies.core();
    MergeAdmission admission = new MergeAdmission(core.reader()::counts, settings.users());
    return new FavoriteRpc(
        new FavoriteService(core.writer(), dependencies.offers(), clock, registry),
        new SavedSearchService(
            core.writer(),
            core.reader(),
            new SearchEstimator(dependencies.counter(), dependencies.alerts()),
            settings.maxInstantAlertsPerDay(),
            clock),
        new FavoriteQueryService(
            core.reader(),
            dependencies.offers(),
            core.audiences(),
            dependencies.loginMerge().service(admission),
            registry));
  }

  public List<BindableService> services() {
    return services;
  }

  /// The consumer that builds the projections, not started.
  public ConsumerLoop projections(KafkaCluster kafka, ParkedEventStore parked) {
    return new ConsumerLoop(
        kafka,
        ConsumerSpec.of("favorites.projections", FavoriteTopics.FAVORITES),
        events -> {
          projecting.handle(events);
          afterProjection.handle(events);
        },
        parked,
        registry);
  }

  public void schedule(JobScheduler jobs) {
    jobs.every(Duration.ofHours(1), "favorites.tombstones", projecting::sweep);
  }
}
