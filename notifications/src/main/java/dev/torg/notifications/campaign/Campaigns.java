package dev.torg.notifications.campaign;

import dev.torg.api.v1.Campaign;
import dev.torg.api.v1.CampaignRecipients;
import dev.torg.api.v1.CreateCampaignRequest;
import io.grpc.stub.StreamObserver;

/// The campaigns of senders. A campaign belongs to the service that created it. The methods block.
public interface Campaigns {
  /// Creates a campaign, or returns it if the same request was accepted before.
  Campaign create(String sender, CreateCampaignRequest request);

  /// Receives an upload of recipients and responds with the campaign at its end.
  StreamObserver<CampaignRecipients> addRecipients(
      String sender, StreamObserver<Campaign> response);

  Campaign start(String sender, String id);

  Campaign find(String sender, String id);

  Campaign pause(String sender, String id);

  Campaign resume(String sender, String id);

  Campaign cancel(String sender, String id);
}
