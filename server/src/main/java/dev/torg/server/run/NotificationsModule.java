package dev.torg.server.run;

import dev.torg.alerts.AlertTopics;
import dev.torg.notifications.sending.SendingTopics;
import dev.torg.notifications.AudienceCriterion;
import dev.torg.notifications.campaign.CampaignParts;
import dev.torg.notifications.campaign.StoredCampaignProgress;
import dev.torg.notifications.sending.RenderedCampaignContents;
import dev.torg.notifications.template.StoredTemplates;
import dev.torg.notifications.wiring.CampaignsWiring;
import dev.torg.notifications.wiring.SendingWiring;
import dev.torg.platform.kafka.ConsumerGroupLag;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.server.campaign.CampaignRecipientsRoute;
import dev.torg.server.config.Role;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.ZoneOffset;
import java.util.ArrayList;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RpcBinding;
import dev.torg.server.sse.NotificationStreamRoute;
import java.util.List;

/// The notification center. Any process may change a bell, so each broadcasts its changes and receives
/// those of the others.
final class NotificationsModule implements Module {
  private static final String ALERTS_WRITER = "alerts.writer";
  private static final String SENDING = "notifications.sending";

  private final NotificationsWiring wiring;
  private final SendingWiring sending;
  private final CampaignsWiring campaigns;
  private final BulkAdmission bulk;
  private final MeterRegistry metrics;

  /// @param criterion finds the sellers of campaigns
  NotificationsModule(ProcessContext context, AudienceCriterion criterion) {
    NotificationTopics topics = NotificationTopics.defaults();
    StoredTemplates templates = new StoredTemplates(context.module().database());
    metrics = context.module().metrics();
    wiring = new NotificationsWiring(context.module(), topics);
    bulk =
        new BulkAdmission(
            new ConsumerGroupLag(context.kafka(), ALERTS_WRITER, AlertTopics.NORMAL),
            new ConsumerGroupLag(context.kafka(), SENDING, SendingTopics.NOTIFICATIONS));
    campaigns =
        new CampaignsWiring(
            context.module(),
            new CampaignParts.Dependencies(
                wiring.bell(),
                wiring.settings(),
                new RenderedCampaignContents(topics, templates),
                criterion,
                new StoredCampaignProgress(),
                ZoneOffset.UTC,
                bulk));
    sending =
        new SendingWiring(
            context.module(),
            topics,
            wiring.bell(),
            wiring.settings(),
            templates,
            campaigns.campaigns());
  }

  /// For the modules that write to bells.
  NotificationsWiring wiring() {
    return wiring;
  }

  @Override
  public List<RpcBinding> rpcs() {
    List<RpcBinding> rpcs =
        new ArrayList<>(wiring.services().stream().map(RpcBinding::blocking).toList());
    rpcs.add(RpcBinding.blocking(sending.service()).except(SendingWiring.NON_BLOCKING_METHODS));
    return rpcs;
  }

  @Override
  public List<HttpRoute> routes() {
    return List.of(
        new NotificationStreamRoute(wiring.streams()).route(),
        new CampaignRecipientsRoute(campaigns.uploads()).route());
  }

  @Override
  public void start(BackgroundRuntime runtime) {
    wiring.streams().start();
    if (runtime.does(Role.JOBS)) {
      sending.schedule(runtime.jobs());
      campaigns.schedule(runtime.jobs());
      runtime.run(
          new ConsumerLoop(
              runtime.kafka(),
              sending.consumer().spec(),
              sending.consumer().handler(),
              runtime.parkedEvents(),
              metrics));
    }
  }

  @Override
  public void drain() {
    wiring.streams().close();
  }

  @Override
  public void close() {
    sending.close();
    bulk.close();
    wiring.close();
  }
}
