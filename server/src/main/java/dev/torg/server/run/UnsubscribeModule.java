package dev.torg.server.run;

import dev.torg.favorites.LoginMerges;
import dev.torg.notifications.wiring.DevicesWiring;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.unsubscribe.UnsubscribeRoutes;
import java.util.List;

/// Unsubscribing by link. Separate from devices, because it completes login merges, which move devices.
final class UnsubscribeModule implements Module {
  private final UnsubscribeRoutes routes;

  UnsubscribeModule(DevicesWiring devices, LoginMerges merges) {
    routes = new UnsubscribeRoutes(devices.unsubscribeService(merges::loginOf));
  }

  @Override
  public List<HttpRoute> routes() {
    return routes.routes();
  }

  /// Nothing to close.
  @Override
  public void close() {}
}
