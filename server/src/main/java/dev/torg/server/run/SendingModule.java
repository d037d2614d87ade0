package dev.torg.server.run;

import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.campaign.Campaigns;
import dev.torg.notifications.template.StoredTemplates;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.notifications.wiring.SendingWiring;
import dev.torg.platform.kafka.ConsumerBinding;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.server.config.Role;
import dev.torg.server.route.RpcBinding;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/// Sending by other systems. Role jobs writes what was accepted to the bells.
final class SendingModule implements Module {
  private final SendingWiring wiring;
  private final MeterRegistry metrics;

  SendingModule(
      ProcessContext context,
      NotificationsWiring notifications,
      StoredTemplates templates,
      Campaigns campaigns) {
    metrics = context.module().metrics();
    wiring =
        new SendingWiring(
            context.module(),
            NotificationTopics.defaults(),
            notifications.bell(),
            notifications.settings(),
            templates,
            campaigns);
  }

  @Override
  public List<RpcBinding> rpcs() {
    return List.of(
        RpcBinding.blocking(wiring.service()).except(SendingWiring.NON_BLOCKING_METHODS));
  }

  @Override
  public void start(BackgroundRuntime runtime) {
    if (runtime.does(Role.JOBS)) {
      wiring.schedule(runtime.jobs());
      ConsumerBinding consumer = wiring.consumer();
      runtime.run(
          new ConsumerLoop(
              runtime.kafka(),
              consumer.spec(),
              consumer.handler(),
              runtime.parkedEvents(),
              metrics));
    }
  }

  @Override
  public void close() {
    wiring.close();
  }
}
