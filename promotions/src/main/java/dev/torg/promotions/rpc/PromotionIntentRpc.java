package dev.torg.promotions.rpc;

import dev.torg.api.v1.DeletePromotionIntentRequest;
import dev.torg.api.v1.DeletePromotionIntentResponse;
import dev.torg.api.v1.GetPromotionIntentRequest;
import dev.torg.api.v1.PromotionIntent;
import dev.torg.api.v1.PromotionIntentServiceGrpc;
import dev.torg.api.v1.PutPromotionIntentRequest;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.promotions.intent.Intent;
import dev.torg.promotions.intent.IntentKey;
import dev.torg.promotions.intent.IntentService;
import dev.torg.promotions.intent.IntentState;
import io.grpc.stub.StreamObserver;

/// The gRPC adapter of promotion intents.
public final class PromotionIntentRpc
    extends PromotionIntentServiceGrpc.PromotionIntentServiceImplBase {
  private final IntentService intents;

  public PromotionIntentRpc(IntentService intents) {
    this.intents = intents;
  }

  @Override
  public void putPromotionIntent(
      PutPromotionIntentRequest request, StreamObserver<PromotionIntent> response) {
    IntentKey key = key(request.getSeller(), request.getExternalId());
    response.onNext(encode(intents.put(key, request.getServicesList())));
    response.onCompleted();
  }

  @Override
  public void getPromotionIntent(
      GetPromotionIntentRequest request, StreamObserver<PromotionIntent> response) {
    response.onNext(encode(intents.get(key(request.getSeller(), request.getExternalId()))));
    response.onCompleted();
  }

  @Override
  public void deletePromotionIntent(
      DeletePromotionIntentRequest request,
      StreamObserver<DeletePromotionIntentResponse> response) {
    intents.remove(key(request.getSeller(), request.getExternalId()));
    response.onNext(DeletePromotionIntentResponse.getDefaultInstance());
    response.onCompleted();
  }

  private static IntentKey key(String seller, String externalId) {
    return new IntentKey(SellerPath.require(seller, CurrentCaller.required()), externalId);
  }

  private static PromotionIntent encode(Intent intent) {
    PromotionIntent.Builder encoded =
        PromotionIntent.newBuilder()
            .setExternalId(intent.key().externalId())
            .addAllServices(intent.services())
            .setState(state(intent.state()));
    intent.offer().ifPresent(id -> encoded.setOfferId(id.toString()));
    return encoded.build();
  }

  private static PromotionIntent.State state(IntentState state) {
    return switch (state) {
      case WAITING_FOR_OFFER -> PromotionIntent.State.WAITING_FOR_OFFER;
      case WAITING_FOR_BALANCE -> PromotionIntent.State.WAITING_FOR_BALANCE;
      case APPLIED -> PromotionIntent.State.APPLIED;
      case WAITING_FOR_PRICE -> PromotionIntent.State.WAITING_FOR_PRICE;
      case REMOVED -> PromotionIntent.State.STATE_UNSPECIFIED;
    };
  }
}
