package dev.torg.server.run;

import dev.torg.alerts.wiring.AlertsWiring;
import dev.torg.favorites.FavoriteSettings;
import dev.torg.favorites.service.OfferScanCounter;
import dev.torg.favorites.wiring.FavoriteServicesWiring;
import dev.torg.favorites.wiring.FavoritesWiring;
import dev.torg.favorites.wiring.LoginMergeWiring;
import dev.torg.offers.Offers;
import dev.torg.server.config.FavoriteLimitsConfig;
import dev.torg.server.config.Role;
import dev.torg.server.route.RpcBinding;
import java.util.List;

/// The API of favorites. Role jobs projects favorites into the homes of offers, sellers and searches.
final class FavoritesModule implements Module {
  private final FavoriteServicesWiring wiring;

  FavoritesModule(
      ProcessContext context,
      Offers offers,
      FavoritesWiring core,
      LoginMergeWiring loginMerge,
      AlertsWiring alerts) {
    wiring =
        new FavoriteServicesWiring(
            context.module(),
            new FavoriteServicesWiring.Dependencies(
                core,
                loginMerge,
                offers,
                new OfferScanCounter(offers),
                alerts.estimator(),
                alerts.backfillHandler()),
            settings(context.configuration().favoriteLimits()));
  }

  /// Storage and lookups, which other modules use too.
  static FavoritesWiring core(ProcessContext context) {
    return new FavoritesWiring(
        context.module(), settings(context.configuration().favoriteLimits()));
  }

  private static FavoriteSettings settings(FavoriteLimitsConfig limits) {
    return FavoriteSettings.defaults().withLimits(limits.users(), limits.anonymous());
  }

  @Override
  public List<RpcBinding> rpcs() {
    return wiring.services().stream()
        .map(
            service ->
                RpcBinding.blocking(service).except(FavoriteServicesWiring.NON_BLOCKING_METHODS))
        .toList();
  }

  @Override
  public void start(BackgroundRuntime runtime) {
    if (runtime.does(Role.JOBS)) {
      wiring.schedule(runtime.jobs());
      runtime.run(wiring.projections(runtime.kafka(), runtime.parkedEvents()));
    }
  }

  /// Nothing to close: the core of favorites closes itself.
  @Override
  public void close() {}
}
