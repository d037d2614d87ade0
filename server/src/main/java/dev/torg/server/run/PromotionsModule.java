package dev.torg.server.run;

import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.offers.Offers;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.promotions.wiring.PromotionsWiring;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.Role;
import dev.torg.server.payments.WebhookRoute;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RpcBinding;
import dev.torg.server.sandbox.SandboxPaymentRoutes;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;

/// Paid services on offers, payments, balances. Role jobs ends services, asks the payment provider and follows offers.
final class PromotionsModule implements Module {
  private final PromotionsWiring wiring;
  private final MeterRegistry metrics;

  PromotionsModule(ProcessContext context, Offers offers, NotificationsWiring notifications) {
    Configuration configuration = context.configuration();
    metrics = context.module().metrics();
    wiring =
        new PromotionsWiring(
            context.module(),
            new PromotionsWiring.Dependencies(
                offers,
                notifications.bell(),
                notifications.settings(),
                context.tokens().messageAuthenticator(),
                List.of(),
                configuration.senders().publicUrl()),
            configuration.promotionPrices(),
            configuration.payments());
  }

  @Override
  public List<RpcBinding> rpcs() {
    List<RpcBinding> rpcs = new ArrayList<>();
    rpcs.add(
        RpcBinding.blocking(wiring.promotionRpc()).except(PromotionsWiring.NON_BLOCKING_METHODS));
    wiring.blockingRpcs().forEach(rpc -> rpcs.add(RpcBinding.blocking(rpc)));
    return rpcs;
  }

  @Override
  public List<HttpRoute> routes() {
    List<HttpRoute> routes = new ArrayList<>(new SandboxPaymentRoutes(wiring.sandbox()).routes());
    routes.add(new WebhookRoute(wiring.webhooks()).route());
    return routes;
  }

  @Override
  public void start(BackgroundRuntime runtime) {
    if (runtime.does(Role.JOBS)) {
      wiring.schedule(runtime.jobs());
      wiring.consumers().forEach(consumer -> run(runtime, consumer));
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
