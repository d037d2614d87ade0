package dev.torg.offers.draft;

import dev.torg.api.v1.DeleteDraftRequest;
import dev.torg.api.v1.DeleteDraftResponse;
import dev.torg.api.v1.Draft;
import dev.torg.api.v1.DraftServiceGrpc;
import dev.torg.api.v1.GetDraftRequest;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OpenDraftRequest;
import dev.torg.api.v1.PublishDraftRequest;
import dev.torg.api.v1.UpdateDraftRequest;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.offer.OfferService;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.platform.rpc.RpcResponse;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.Function;

/// The gRPC adapter of drafts. Drafts are looked up together with their owner, so a draft of another user
/// is NOT_FOUND.
public final class DraftRpc extends DraftServiceGrpc.DraftServiceImplBase {
  private final DraftService drafts;
  private final OfferService offers;
  private final Function<String, Caller> tokens;

  /// @param tokens verifies a token and returns its caller
  public DraftRpc(DraftService drafts, OfferService offers, Function<String, Caller> tokens) {
    this.drafts = drafts;
    this.offers = offers;
    this.tokens = tokens;
  }

  @Override
  public void openDraft(OpenDraftRequest request, StreamObserver<Draft> response) {
    Caller caller = CurrentCaller.required();
    Optional<String> category = Optional.of(request.getCategory()).filter(c -> !c.isEmpty());
    Optional<String> anonymous = anonymous(request).filter(a -> !a.equals(caller.subject()));
    RpcResponse.complete(response, drafts.open(caller, category, anonymous), DraftRow::encode);
  }

  @Override
  public void getDraft(GetDraftRequest request, StreamObserver<Draft> response) {
    RpcResponse.complete(response, drafts.get(key(request.getId())), DraftRow::encode);
  }

  @Override
  public void updateDraft(UpdateDraftRequest request, StreamObserver<Draft> response) {
    RpcResponse.complete(
        response, drafts.update(key(request.getId()), request.getOffer()), DraftRow::encode);
  }

  @Override
  public void deleteDraft(
      DeleteDraftRequest request, StreamObserver<DeleteDraftResponse> response) {
    RpcResponse.complete(
        response,
        drafts.delete(key(request.getId())),
        _ -> DeleteDraftResponse.getDefaultInstance());
  }

  @Override
  public void publishDraft(PublishDraftRequest request, StreamObserver<Offer> response) {
    Caller caller = CurrentCaller.required();
    RpcResponse.complete(
        response, offers.publish(caller, key(request.getId())), Function.identity());
  }

  private Optional<String> anonymous(OpenDraftRequest request) {
    if (request.getAnonymousToken().isEmpty()) {
      return Optional.empty();
    }
    Caller anonymous = tokens.apply(request.getAnonymousToken());
    if (!anonymous.isAnonymous()) {
      throw Failure.invalid(
          "token.not-anonymous",
          "not an anonymous token",
          "anonymousToken",
          "must be the token of an anonymous identity");
    }
    return Optional.of(anonymous.subject());
  }

  private static DraftKey key(String id) {
    return DraftKey.parse(CurrentCaller.required().subject(), id);
  }
}
