package dev.torg.server.run;

import dev.torg.alerts.AlertTopics;
import dev.torg.notifications.AudienceCriterion;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.campaign.CampaignParts;
import dev.torg.notifications.campaign.Campaigns;
import dev.torg.notifications.campaign.StoredCampaignProgress;
import dev.torg.notifications.sending.RenderedCampaignContents;
import dev.torg.notifications.sending.SendingTopics;
import dev.torg.notifications.template.StoredTemplates;
import dev.torg.notifications.wiring.CampaignsWiring;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.platform.kafka.ConsumerGroupLag;
import dev.torg.server.campaign.CampaignRecipientsRoute;
import dev.torg.server.config.Role;
import dev.torg.server.route.HttpRoute;
import java.util.List;

/// Campaigns. Role jobs writes them to the bells, while the consumers of alerts and of individual notifications are not
/// behind. Their RPCs are served by [SendingModule].
final class CampaignsModule implements Module {
  /// The consumer groups of alerts and of individual notifications.
  private static final String ALERTS_WRITER = "alerts.writer";

  private static final String SENDING = "notifications.sending";

  private final CampaignsWiring wiring;
  private final BulkAdmission bulk;

  /// @param criterion finds the sellers of campaigns
  CampaignsModule(
      ProcessContext context,
      NotificationsWiring notifications,
      StoredTemplates templates,
      AudienceCriterion criterion) {
    bulk =
        new BulkAdmission(
            new ConsumerGroupLag(context.kafka(), ALERTS_WRITER, AlertTopics.NORMAL),
            new ConsumerGroupLag(context.kafka(), SENDING, SendingTopics.NOTIFICATIONS));
    wiring =
        new CampaignsWiring(
            context.module(),
            new CampaignParts.Dependencies(
                notifications.bell(),
                notifications.settings(),
                new RenderedCampaignContents(NotificationTopics.defaults(), templates),
                criterion,
                new StoredCampaignProgress(),
                context.configuration().defaultTimezone(),
                bulk));
  }

  Campaigns campaigns() {
    return wiring.campaigns();
  }

  @Override
  public List<HttpRoute> routes() {
    return List.of(new CampaignRecipientsRoute(wiring.uploads()).route());
  }

  @Override
  public void start(BackgroundRuntime runtime) {
    if (runtime.does(Role.JOBS)) {
      wiring.schedule(runtime.jobs());
    }
  }

  @Override
  public void close() {
    bulk.close();
  }
}
