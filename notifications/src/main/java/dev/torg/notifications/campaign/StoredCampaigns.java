package dev.torg.notifications.campaign;

import dev.torg.api.v1.Campaign;
import dev.torg.api.v1.CampaignRecipients;
import dev.torg.api.v1.CreateCampaignRequest;
import io.grpc.stub.StreamObserver;

/// The campaigns in the database.
record StoredCampaigns(CampaignService service, RecipientUploads uploads) implements Campaigns {
  @Override
  public Campaign create(String sender, CreateCampaignRequest request) {
    return service.create(sender, request);
  }

  @Override
  public StreamObserver<CampaignRecipients> addRecipients(
      String sender, StreamObserver<Campaign> response) {
    return uploads.stream(sender, response);
  }

  @Override
  public Campaign start(String sender, String id) {
    return service.start(sender, id);
  }

  @Override
  public Campaign find(String sender, String id) {
    return service.find(sender, id);
  }

  @Override
  public Campaign pause(String sender, String id) {
    return service.pause(sender, id);
  }

  @Override
  public Campaign resume(String sender, String id) {
    return service.resume(sender, id);
  }

  @Override
  public Campaign cancel(String sender, String id) {
    return service.cancel(sender, id);
  }
}
