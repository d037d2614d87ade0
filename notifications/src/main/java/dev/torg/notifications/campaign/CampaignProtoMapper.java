package dev.torg.notifications.campaign;

import dev.torg.api.v1.Campaign;
import dev.torg.api.v1.CampaignCounts;
import dev.torg.platform.EpochMicros;
import java.time.Instant;

/// Campaigns as their senders see them.
final class CampaignProtoMapper {
  private CampaignProtoMapper() {}

  static Campaign campaign(StoredCampaign campaign, CampaignCounts progress, Instant now) {
    Campaign.Builder result =
        Campaign.newBuilder()
            .setId(campaign.key().id())
            .setTopic(campaign.request().getTopic())
            .setStatus(status(campaign, now))
            .setRespectTimezone(campaign.request().getRespectTimezone())
            .setCreatedAt(EpochMicros.timestamp(campaign.createdAt()))
            .setProgress(progress);
    campaign.sendAt().ifPresent(time -> result.setSendAt(EpochMicros.timestamp(time)));
    campaign.expiresAt().ifPresent(time -> result.setExpiresAt(EpochMicros.timestamp(time)));
    if (campaign.request().hasSpreadOver()) {
      result.setSpreadOver(campaign.request().getSpreadOver());
    }
    return result.build();
  }

  private static Campaign.Status status(StoredCampaign campaign, Instant now) {
    return switch (campaign.state()) {
      case UPLOADING -> Campaign.Status.UPLOADING;
      case STARTED -> campaign.isDueAt(now) ? Campaign.Status.RUNNING : Campaign.Status.SCHEDULED;
      case PAUSED -> Campaign.Status.PAUSED;
      case CANCELLED -> Campaign.Status.CANCELLED;
      case FINISHED -> Campaign.Status.FINISHED;
    };
  }
}
