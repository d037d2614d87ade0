package dev.torg.server.run;

import dev.torg.api.v1.Campaign;
import dev.torg.api.v1.CampaignRecipients;
import dev.torg.api.v1.CreateCampaignRequest;
import dev.torg.notifications.campaign.Campaigns;
import dev.torg.platform.Failure;
import io.grpc.stub.StreamObserver;

/// Refuses every call: until campaigns are merged.
final class UnavailableCampaigns implements Campaigns {
  @Override
  public Campaign create(String sender, CreateCampaignRequest request) {
    throw refused();
  }

  @Override
  public StreamObserver<CampaignRecipients> addRecipients(
      String sender, StreamObserver<Campaign> response) {
    throw refused();
  }

  @Override
  public Campaign start(String sender, String id) {
    throw refused();
  }

  @Override
  public Campaign find(String sender, String id) {
    throw refused();
  }

  @Override
  public Campaign pause(String sender, String id) {
    throw refused();
  }

  @Override
  public Campaign resume(String sender, String id) {
    throw refused();
  }

  @Override
  public Campaign cancel(String sender, String id) {
    throw refused();
  }

  private static Failure refused() {
    return Failure.unavailable("server.unavailable", "campaigns are not available", null);
  }
}
