package dev.torg.server.run;

import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.wiring.AlertsWiring;
import dev.torg.favorites.LoginMerges;
import dev.torg.favorites.wiring.FavoritesWiring;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.offers.Offers;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.server.ReadinessCheck;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Role;
import dev.torg.server.route.RpcBinding;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/// Alerts: from a change of an offer to the recipients' bells. Role alerts matches offers and delivers alerts;
/// role api explains them. Role jobs notifies sellers about their own offers.
final class AlertsModule implements Module {
  private final AlertsWiring wiring;
  private final boolean matches;
  private final MeterRegistry metrics;

  AlertsModule(
      ProcessContext context,
      Offers offers,
      FavoritesWiring favorites,
      LoginMerges merges,
      NotificationsWiring notifications) {
    metrics = context.module().metrics();
    matches = context.configuration().roles().contains(Role.ALERTS);
    wiring =
        new AlertsWiring(
            context.module(),
            context.kafka(),
            new AlertsWiring.Dependencies(
                offers,
                favorites.audiences(),
                favorites.backfills(),
                favorites.rules(),
                merges,
                notifications.bell(),
                notifications.settings()),
            settings(context.configuration()));
  }

  private static AlertSettings settings(Configuration configuration) {
    return AlertSettings.defaults(configuration.data())
        .withPublicUrl(configuration.senders().publicUrl());
  }

  AlertsWiring wiring() {
    return wiring;
  }

  @Override
  public List<RpcBinding> rpcs() {
    return wiring.services().stream().map(RpcBinding::blocking).toList();
  }

  @Override
  public List<ReadinessCheck> checks() {
    return matches ? List.of(new ReadinessCheck("searches", wiring::isReady)) : List.of();
  }

  @Override
  public void start(BackgroundRuntime runtime) {
    if (runtime.does(Role.ALERTS)) {
      wiring.start(runtime.parkedEvents(), runtime::partitions);
      wiring.schedule(runtime.jobs());
    }
    if (runtime.does(Role.JOBS)) {
      wiring.scheduleSellerNotices(runtime.jobs());
      wiring.sellerConsumers().forEach(consumer -> run(runtime, consumer));
    }
  }

  private void run(BackgroundRuntime runtime, ConsumerBinding consumer) {
    runtime.run(
        new ConsumerLoop(
            runtime.kafka(), consumer.spec(), consumer.handler(), runtime.parkedEvents(), metrics));
  }

  @Override
  public void close() {
    wiring.close();
  }
}
