package dev.torg.notifications.wiring;

import dev.torg.notifications.CampaignUploads;
import dev.torg.notifications.campaign.CampaignParts;
import dev.torg.notifications.campaign.Campaigns;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.module.ModuleContext;
import java.time.Duration;

/// Builds campaigns: the API and uploads in every process; the jobs where [#schedule] is called.
public final class CampaignsWiring {
  /// A pause takes effect, and a due campaign begins, within this time.
  private static final Duration INTERVAL = Duration.ofMillis(500);

  /// Groups of homes whose pages a process writes concurrently: enough to keep the database busy while one of them
  /// prepares a page, few enough that it stays free for others.
  private static final int MAX_CONCURRENT_PAGES = 2;

  private final CampaignParts parts;

  public CampaignsWiring(ModuleContext context, CampaignParts.Dependencies others) {
    this.parts = new CampaignParts(context, others);
  }

  public Campaigns campaigns() {
    return parts.campaigns();
  }

  /// For the route that receives files of recipients.
  public CampaignUploads uploads() {
    return parts.uploads();
  }

  public void schedule(JobScheduler jobs) {
    jobs.everyBulk(
        INTERVAL, "campaigns.write", parts.write()::due, parts.write()::run, MAX_CONCURRENT_PAGES);
    jobs.everyBulk(INTERVAL, "campaigns.expand", parts.expand()::due, parts.expand()::run, 1);
    jobs.everyBulk(INTERVAL, "campaigns.finish", parts.finish()::due, parts.finish()::run, 1);
  }
}
