package dev.torg.offers.moderation;

import dev.torg.api.v1.ClaimFromQueueRequest;
import dev.torg.api.v1.GetModerationQueueRequest;
import dev.torg.api.v1.GiveOpinionRequest;
import dev.torg.api.v1.ListOpinionsRequest;
import dev.torg.api.v1.ListOpinionsResponse;
import dev.torg.api.v1.ModerationQueue;
import dev.torg.api.v1.ModerationServiceGrpc;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.ReportOfferRequest;
import dev.torg.api.v1.ReportOfferResponse;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.platform.rpc.RpcResponse;
import io.grpc.stub.StreamObserver;
import java.util.function.Function;

/// The gRPC adapter of moderation.
public final class ModerationRpc extends ModerationServiceGrpc.ModerationServiceImplBase {
  private final ModerationService moderation;
  private final ModerationQueueService queue;

  public ModerationRpc(ModerationService moderation, ModerationQueueService queue) {
    this.moderation = moderation;
    this.queue = queue;
  }

  @Override
  public void giveOpinion(GiveOpinionRequest request, StreamObserver<Offer> response) {
    Caller caller = CurrentCaller.required();
    RpcResponse.complete(
        response,
        moderation.applyOpinion(caller, OfferId.parse(request.getId()), request.getOpinion()),
        Function.identity());
  }

  @Override
  public void listOpinions(
      ListOpinionsRequest request, StreamObserver<ListOpinionsResponse> response) {
    Caller caller = CurrentCaller.required();
    RpcResponse.complete(
        response,
        moderation.opinions(caller, OfferId.parse(request.getId())),
        opinions -> ListOpinionsResponse.newBuilder().addAllOpinions(opinions).build());
  }

  @Override
  public void reportOffer(
      ReportOfferRequest request, StreamObserver<ReportOfferResponse> response) {
    Caller caller = CurrentCaller.required();
    OfferId id = OfferId.parse(request.getId());
    RpcResponse.complete(
        response,
        moderation.report(caller, id, request.getReason(), request.getText()),
        _ -> ReportOfferResponse.getDefaultInstance());
  }

  @Override
  public void getModerationQueue(
      GetModerationQueueRequest request, StreamObserver<ModerationQueue> response) {
    RpcResponse.complete(
        response, queue.page(request.getPageSize(), request.getPageToken()), Function.identity());
  }

  @Override
  public void claimFromQueue(
      ClaimFromQueueRequest request, StreamObserver<ModerationQueue> response) {
    Caller caller = CurrentCaller.required();
    RpcResponse.complete(response, queue.claim(caller, request.getCount()), Function.identity());
  }
}
