package dev.torg.notifications.campaign;

import dev.torg.notifications.AudienceCriterion;
import dev.torg.notifications.Bell;
import dev.torg.notifications.CampaignUploads;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.delivery.CampaignProgress;
import dev.torg.platform.module.ModuleContext;
import java.time.ZoneId;
import java.util.function.BooleanSupplier;

/// The objects of this package, connected.
public final class CampaignParts {
  private final Campaigns campaigns;
  private final CampaignUploads uploads;
  private final WriteCampaignsJob write;
  private final ExpandCampaignsJob expand;
  private final FinishCampaignsJob finish;

  /// What campaigns use of others.
  ///
  /// @param operatorZone the timezone in which times of campaigns are meant, and that of recipients who have none
  /// @param allowsBulk whether individual notifications are not behind
  public record Dependencies(
      Bell bell,
      RecipientSettings settings,
      CampaignContents contents,
      AudienceCriterion criterion,
      CampaignProgress progress,
      ZoneId operatorZone,
      BooleanSupplier allowsBulk) {}

  public CampaignParts(ModuleContext context, Dependencies others) {
    var database = context.database();
    RecipientAdder adder = new RecipientAdder(database, others.settings(), others.operatorZone());
    CampaignService service =
        new CampaignService(
            database,
            new CampaignRequestValidator(others.criterion()),
            others.contents(),
            adder,
            context.clock());
    RecipientUploads files = new RecipientUploads(service, adder);
    this.campaigns = new StoredCampaigns(service, files);
    this.uploads = files;
    this.write =
        new WriteCampaignsJob(
            database,
            new CampaignPageWriter(
                database,
                others.bell(),
                others.settings(),
                others.progress(),
                new CampaignMetrics(database, context.metrics())),
            others.allowsBulk());
    this.expand = new ExpandCampaignsJob(database, others.criterion(), adder, others.allowsBulk());
    this.finish = new FinishCampaignsJob(database);
  }

  public Campaigns campaigns() {
    return campaigns;
  }

  public CampaignUploads uploads() {
    return uploads;
  }

  public WriteCampaignsJob write() {
    return write;
  }

  public ExpandCampaignsJob expand() {
    return expand;
  }

  public FinishCampaignsJob finish() {
    return finish;
  }
}
