package dev.torg.notifications.rpc;

import dev.torg.api.v1.Campaign;
import dev.torg.api.v1.CampaignRecipients;
import dev.torg.api.v1.CancelCampaignRequest;
import dev.torg.api.v1.CreateCampaignRequest;
import dev.torg.api.v1.GetCampaignRequest;
import dev.torg.api.v1.GetTemplateRequest;
import dev.torg.api.v1.NotificationTemplate;
import dev.torg.api.v1.PauseCampaignRequest;
import dev.torg.api.v1.PreviewTemplateRequest;
import dev.torg.api.v1.PreviewTemplateResponse;
import dev.torg.api.v1.PutTemplateRequest;
import dev.torg.api.v1.ResumeCampaignRequest;
import dev.torg.api.v1.SendNotificationRequest;
import dev.torg.api.v1.SendNotificationResponse;
import dev.torg.api.v1.SendingServiceGrpc.SendingServiceImplBase;
import dev.torg.api.v1.StartCampaignRequest;
import dev.torg.notifications.campaign.Campaigns;
import dev.torg.notifications.sending.SendingService;
import dev.torg.notifications.template.TemplateService;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.platform.rpc.RpcResponse;
import io.grpc.stub.StreamObserver;

/// Sending over gRPC. Its methods block on the database and must run on threads that may block, except for
/// `SendNotification`.
public final class SendingRpc extends SendingServiceImplBase {
  private final SendingService sending;
  private final TemplateService templates;
  private final Campaigns campaigns;

  public SendingRpc(SendingService sending, TemplateService templates, Campaigns campaigns) {
    this.sending = sending;
    this.templates = templates;
    this.campaigns = campaigns;
  }

  @Override
  public void sendNotification(
      SendNotificationRequest request, StreamObserver<SendNotificationResponse> response) {
    RpcResponse.complete(
        response,
        sending.send(sender(), request),
        accepted -> SendNotificationResponse.newBuilder().setAccepted(accepted).build());
  }

  @Override
  public void putTemplate(
      PutTemplateRequest request, StreamObserver<NotificationTemplate> response) {
    send(
        response,
        templates.put(
            NotificationTemplate.newBuilder()
                .setId(request.getId())
                .putAllLanguages(request.getLanguagesMap())
                .addAllParams(request.getParamsList())
                .build()));
  }

  @Override
  public void getTemplate(
      GetTemplateRequest request, StreamObserver<NotificationTemplate> response) {
    send(response, templates.get(request.getId()));
  }

  @Override
  public void previewTemplate(
      PreviewTemplateRequest request, StreamObserver<PreviewTemplateResponse> response) {
    send(response, templates.preview(request));
  }

  @Override
  public void createCampaign(CreateCampaignRequest request, StreamObserver<Campaign> response) {
    send(response, campaigns.create(sender(), request));
  }

  @Override
  public StreamObserver<CampaignRecipients> addCampaignRecipients(
      StreamObserver<Campaign> response) {
    return campaigns.addRecipients(sender(), response);
  }

  @Override
  public void startCampaign(StartCampaignRequest request, StreamObserver<Campaign> response) {
    send(response, campaigns.start(sender(), request.getId()));
  }

  @Override
  public void getCampaign(GetCampaignRequest request, StreamObserver<Campaign> response) {
    send(response, campaigns.find(sender(), request.getId()));
  }

  @Override
  public void pauseCampaign(PauseCampaignRequest request, StreamObserver<Campaign> response) {
    send(response, campaigns.pause(sender(), request.getId()));
  }

  @Override
  public void resumeCampaign(ResumeCampaignRequest request, StreamObserver<Campaign> response) {
    send(response, campaigns.resume(sender(), request.getId()));
  }

  @Override
  public void cancelCampaign(CancelCampaignRequest request, StreamObserver<Campaign> response) {
    send(response, campaigns.cancel(sender(), request.getId()));
  }

  private static String sender() {
    return CurrentCaller.required().subject();
  }

  private static <T> void send(StreamObserver<T> response, T value) {
    response.onNext(value);
    response.onCompleted();
  }
}
